// The elements of one document that people can act on, and its iframes, each with a selector. Run in the page by
// elements.py with the number of elements wanted; nodes stay here, facts go back.
(limit) => {
  const ACTIVE = [
    'a[href]', 'area[href]', 'button', 'input:not([type=hidden])', 'select', 'textarea', 'summary', '[onclick]',
    '[contenteditable=""]', '[contenteditable=true]', '[contenteditable=plaintext-only]',
    '[tabindex]:not([tabindex^="-"])',
    ...['button', 'link', 'checkbox', 'radio', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option',
      'switch', 'combobox', 'textbox', 'searchbox', 'slider', 'spinbutton', 'treeitem'].map(role => `[role=${role}]`),
  ].join(',');
  const FRAMES = 'iframe, frame';
  const HANDLES = ['data-testid', 'data-test', 'name', 'aria-label', 'placeholder'];
  const SECRET = /password|one-time-code|^cc-(number|csc)/;
  let shadows = false;

  const known = new Map();
  const alone = (root, selector) => {
    const answers = known.get(root) || known.set(root, new Map()).get(root);
    if (!answers.has(selector)) answers.set(selector, root.querySelectorAll(selector).length === 1);
    return answers.get(selector);
  };

  const byHandle = (element, root) => {
    const tag = CSS.escape(element.localName);
    if (element.id && alone(root, `#${CSS.escape(element.id)}`)) return `#${CSS.escape(element.id)}`;
    for (const name of HANDLES) {
      const value = element.getAttribute(name);
      const selector = value && value.length < 100 && `${tag}[${name}=${JSON.stringify(value)}]`;
      if (selector && !/[\n\r\f]/.test(value) && alone(root, selector)) return selector;
    }
    return alone(root, tag) ? tag : null;
  };

  const place = element => {
    let number = 1;
    for (let before = element.previousElementSibling; before; before = before.previousElementSibling)
      if (before.localName === element.localName) number += 1;
    return `${CSS.escape(element.localName)}:nth-of-type(${number})`;
  };

  // Without handles: the way from the top, which does not hang on names that may come twice.
  const within = (element, root, handles) => {
    const steps = [];
    for (let at = element; at && at.nodeType === Node.ELEMENT_NODE; at = at.parentElement) {
      const handle = handles && byHandle(at, root);
      steps.unshift(handle || place(at));
      if (handle) break;
    }
    return steps.join(' > ');
  };

  const selectorOf = (element, handles) => {
    const root = element.getRootNode();
    const inner = within(element, root, handles);
    return root.host ? `${selectorOf(root.host, handles)} > ${inner}` : inner;
  };

  // A handle need not be a child of the shadow root, so what stands between is left open.
  const loosely = element => {
    const root = element.getRootNode();
    const inner = within(element, root, true);
    return root.host ? `${loosely(root.host)} ${inner}` : inner;
  };

  const shown = element => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
  };

  const all = (root, found) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.matches(ACTIVE) || element.matches(FRAMES)) found.push(element);
      if (element.shadowRoot) {
        shadows = true;
        all(element.shadowRoot, found);
      }
    }
    return found;
  };

  const text = value => String(value ?? '').replace(/\s+/g, ' ').trim();

  // Roles and names after WAI-ARIA and accname, as far as people's pages need them; Chromium's own answers would cost
  // ten milliseconds an element.
  const INPUTS = {
    button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio',
    range: 'slider', number: 'spinbutton', search: 'searchbox',
  };
  const roleOf = element => {
    const [said] = text(element.getAttribute('role')).split(' ');
    if (said) return said;
    switch (element.localName) {
      case 'a': case 'area': return element.hasAttribute('href') ? 'link' : 'generic';
      case 'button': case 'summary': return 'button';
      case 'select': return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
      case 'textarea': return 'textbox';
      case 'input': return element.hasAttribute('list') ? 'combobox' : INPUTS[element.type] || 'textbox';
      default: return element.isContentEditable ? 'textbox' : 'generic';
    }
  };

  const spoken = element => {
    const parts = [text(element.innerText)];
    for (const inner of element.querySelectorAll('img[alt], [aria-label], svg title'))
      parts.push(text(inner.getAttribute('aria-label') || inner.getAttribute('alt') || inner.textContent));
    return parts.filter(Boolean).join(' ');
  };
  const labelledBy = element =>
    text(element.getAttribute('aria-labelledby')).split(' ').filter(Boolean)
      .map(id => text(element.getRootNode().getElementById(id)?.textContent)).join(' ');
  const labels = element => [...(element.labels || [])].map(label => text(label.innerText)).join(' ');
  const own = element => {
    if (element.localName === 'input') return INPUTS[element.type] === 'button' ? element.value || element.alt : '';
    return ['select', 'textarea'].includes(element.localName) || element.isContentEditable ? '' : spoken(element);
  };
  const words = element =>
    text(labelledBy(element) || element.getAttribute('aria-label') || labels(element) || own(element) || element.alt
      || element.title || element.placeholder);

  const valueOf = element => {
    if (!('value' in element) || !['INPUT', 'SELECT', 'TEXTAREA'].includes(element.tagName)) return null;
    const secret = element.type === 'password' || SECRET.test(element.autocomplete || '');
    return secret ? null : String(element.value).slice(0, 1000);
  };

  const flag = (element, own, aria) => {
    if (own in element) return Boolean(element[own]);
    const said = element.getAttribute(aria);
    return said === null ? null : said === 'true';
  };

  const checkedOf = element =>
    element.tagName === 'INPUT' && !['checkbox', 'radio'].includes(element.type)
      ? null
      : flag(element, 'checked', 'aria-checked');

  const fact = element => ({
    selector: loosely(element),
    path: selectorOf(element, false),
    role: roleOf(element).slice(0, 100),
    name: words(element).slice(0, 200),
    tag: element.localName.slice(0, 100),
    type: typeof element.type === 'string' && element.type ? element.type.slice(0, 100) : null,
    value: valueOf(element),
    disabled: flag(element, 'disabled', 'aria-disabled'),
    checked: checkedOf(element),
  });

  const found = all(document, []).filter(shown);
  const active = found.filter(element => !element.matches(FRAMES));
  const frames = found.filter(element => element.matches(FRAMES)).slice(0, 50);
  const nodes = [...active.slice(0, limit), ...frames];
  return { nodes, facts: nodes.map(fact), count: Math.min(active.length, limit), truncated: active.length > limit, shadows };
}
