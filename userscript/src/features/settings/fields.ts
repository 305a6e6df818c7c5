import { element } from '../../ui/element.ts'

/** A text field for a name with rules. It shows an error while the name breaks them. */
interface NameInput {
  readonly key: string
  readonly value: string
  readonly label: string
  readonly hint: string
  /** Replaces the hint while the name is not valid. */
  readonly error: string
  readonly isName: (text: string) => boolean
}

/** @param onName called with each valid name, once the user leaves the field or presses Enter */
export function createNameInput(
  { key, value, label, hint, error, isName }: NameInput,
  onName: (name: string) => void,
): HTMLElement {
  const hintId = `plugmark-${key}-hint`
  const input = element('input', {
    id: `plugmark-${key}`,
    type: 'text',
    value,
    'aria-describedby': hintId,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  })
  const note = element('div', { id: hintId, class: 'plugmark-muted' }, hint)
  input.addEventListener('input', () => {
    const isValid = isName(input.value.trim())
    input.setAttribute('aria-invalid', String(!isValid))
    note.textContent = isValid ? hint : error
    note.className = isValid ? 'plugmark-muted' : 'plugmark-bad'
  })
  input.addEventListener('change', () => {
    const name = input.value.trim()
    if (isName(name)) onName(name)
  })
  return element('div', { class: 'plugmark-field' }, element('label', { for: input.id }, label), input, note)
}

export function createSelect<T extends string>(
  label: string,
  choices: Readonly<Record<T, string>>,
  chosen: T,
  onChoice: (choice: T) => void,
): HTMLElement {
  const select = element('select', { id: 'plugmark-select' })
  for (const [value, text] of Object.entries<string>(choices)) select.append(element('option', { value }, text))
  select.value = chosen
  select.addEventListener('change', () => onChoice(select.value as T))
  return element('div', { class: 'plugmark-field' }, element('label', { for: select.id }, label), select)
}

export function createCheckbox(
  label: string | Node,
  isOn: boolean,
  onToggle: (isOn: boolean) => void,
): HTMLLabelElement {
  const box = element('input', { type: 'checkbox' })
  box.checked = isOn
  box.addEventListener('change', () => onToggle(box.checked))
  return element('label', { class: 'plugmark-checkbox' }, box, label)
}

export function createSection(title: string, ...content: Node[]): HTMLElement {
  return element('fieldset', { class: 'plugmark-field' }, element('legend', {}, title), ...content)
}
