"""The actions of pipe 8 on a real page, each in a file with its like."""

from cetp_gateway.pipe.browser.actions.action import Action
from cetp_gateway.pipe.browser.actions.click import Click, click
from cetp_gateway.pipe.browser.actions.elements import ListElements, list_elements
from cetp_gateway.pipe.browser.actions.history import back
from cetp_gateway.pipe.browser.actions.navigate import Navigate, navigate
from cetp_gateway.pipe.browser.actions.press import Press, press
from cetp_gateway.pipe.browser.actions.reading import GetAttribute, GetText, get_attribute, get_page, get_text
from cetp_gateway.pipe.browser.actions.screenshot import TakeScreenshot, screenshot
from cetp_gateway.pipe.browser.actions.scroll import Scroll, scroll
from cetp_gateway.pipe.browser.actions.select import Select, select
from cetp_gateway.pipe.browser.actions.typing import Type, type_text
from cetp_gateway.pipe.browser.actions.waiting import WaitFor, wait_for
from cetp_gateway.pipe.browser.params import Params

ACTIONS = {
    "back": Action(Params, back, leaves=True),
    "click": Action(Click, click),
    "getAttribute": Action(GetAttribute, get_attribute),
    "getPage": Action(Params, get_page),
    "getText": Action(GetText, get_text),
    "listElements": Action(ListElements, list_elements),
    "navigate": Action(Navigate, navigate, checks_itself=True, leaves=True),
    "press": Action(Press, press),
    "screenshot": Action(TakeScreenshot, screenshot),
    "scroll": Action(Scroll, scroll),
    "select": Action(Select, select),
    "type": Action(Type, type_text),
    "waitFor": Action(WaitFor, wait_for),
}
"""By their names on the wire."""

__all__ = ["ACTIONS", "Action"]
