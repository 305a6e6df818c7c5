import { element } from '../ui/element.ts'

/** A row of the dialog for a name that has rules; it says what is wrong while it is. */
export function createName<K extends string>(
  key: K,
  texts: Readonly<Record<K | 'label' | 'hint' | 'bad', string>>,
  isName: (text: string) => boolean,
  take: (name: string) => void,
): HTMLElement {
  const hintId = `plugmark-${key}-hint`
  const input = element('input', {
    id: `plugmark-${key}`,
    type: 'text',
    value: texts[key],
    'aria-describedby': hintId,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  })
  const hint = element('div', { id: hintId, class: 'plugmark-muted' }, texts.hint)
  input.addEventListener('input', () => {
    const name = input.value.trim()
    const isGood = isName(name)
    // What was typed on the way to a bad name was not meant.
    take(isGood ? name : texts[key])
    input.setAttribute('aria-invalid', String(!isGood))
    hint.textContent = isGood ? texts.hint : texts.bad
    hint.className = isGood ? 'plugmark-muted' : 'plugmark-bad'
  })
  return element('div', { class: 'plugmark-field' }, element('label', { for: input.id }, texts.label), input, hint)
}

export function createSelect<T extends string>(
  label: string,
  choices: Readonly<Record<T, string>>,
  chosen: T,
  choose: (choice: T) => void,
): HTMLElement {
  const select = element('select', { id: 'plugmark-select' })
  for (const [value, text] of Object.entries<string>(choices)) select.append(element('option', { value }, text))
  select.value = chosen
  select.addEventListener('change', () => choose(select.value as T))
  return element('div', { class: 'plugmark-field' }, element('label', { for: select.id }, label), select)
}

export function createCheckbox(label: string, isOn: boolean, set: (isOn: boolean) => void): HTMLLabelElement {
  const box = element('input', { type: 'checkbox' })
  box.checked = isOn
  box.addEventListener('change', () => set(box.checked))
  return element('label', { class: 'plugmark-check' }, box, label)
}

export function createSection(title: string, ...content: Node[]): HTMLElement {
  return element('fieldset', { class: 'plugmark-field' }, element('legend', {}, title), ...content)
}
