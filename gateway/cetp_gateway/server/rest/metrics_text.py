"""The gateway's figures as Prometheus text. Imported by `metrics` at the first request."""

from collections.abc import Iterable, Mapping

from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector

from cetp_gateway.api import Outcome
from cetp_gateway.server.rest.routes import Text
from cetp_gateway.server.service import Service


class GatewayCollector(Collector):
    """Reads the figures when asked; nothing is counted on the way but what the server counts anyway."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterable[Metric]:
        runtime = self._service.runtime
        counts = runtime.registry.counts()
        links = list(runtime.devices)
        yield _gauge("cetp_devices_connected", "Devices with an open socket", len(links))
        yield _gauge("cetp_devices_paired", "Devices with a token", len(runtime.paired.list()))
        tools = {"accepted": counts.usable, "quarantined": counts.quarantined}
        yield _gauges("cetp_tools", "Tools by what became of them", "state", tools)
        yield _gauge("cetp_tools_revision", "Changes of the tool registry since the start", runtime.registry.revision)
        yield _gauge("cetp_device_calls_open", "Calls that wait for a device", sum(link.open_calls for link in links))
        yield _gauge(
            "cetp_device_frames_waiting",
            "Frames that devices have not taken yet",
            sum(link.pending_messages for link in links),
        )
        yield _gauge("cetp_turns_running", "Turns that run", len(runtime.conversations.running()))
        yield _gauge("cetp_turns_waiting", "Turns that stand in line", runtime.conversations.waiting())
        yield _gauges(
            "cetp_model_state", "1 for how the model is", "state", {self._service.model_watch.health().state: 1}
        )
        yield _counters("cetp_rest_calls", "Tool calls by REST", "outcome", _by_kind(self._service.call_counts))


def render(service: Service) -> Text:
    """All figures, with those of the process."""
    registry = CollectorRegistry()
    registry.register(GatewayCollector(service))
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    return Text(generate_latest(registry), CONTENT_TYPE_PLAIN_0_0_4.encode())


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, text, value=value)


def _gauges(name: str, text: str, label: str, values: dict[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=[label])
    for key, value in sorted(values.items()):
        family.add_metric([key], value)
    return family


def _by_kind(counted: Mapping[type[Outcome], int]) -> dict[str, int]:
    return {str(kind.__struct_config__.tag): count for kind, count in counted.items()}


def _counters(name: str, text: str, label: str, values: dict[str, int]) -> CounterMetricFamily:
    family = CounterMetricFamily(name, text, labels=[label])
    for key, value in sorted(values.items()):
        family.add_metric([key], value)
    return family
