import { createElement as h, type ReactElement } from 'react'

export interface ListState {
  /** `owner/repo` of every row. */
  readonly names: readonly string[]
  /** By name, React moves the nodes of a row along; by place, it gives them to another repository. */
  readonly keys: 'name' | 'place'
  /** True if rows say beside their name that they are public. */
  readonly labels?: boolean
  /** Another number makes every node again. */
  readonly generation?: number
}

/** The list of an organisation's repositories as the code host has React draw it, on its servers and in the page. */
export function list({ names, keys, labels = true, generation = 0 }: ListState): ReactElement {
  const rows = names.map((name, place) =>
    h(
      'li',
      { key: keys === 'name' ? name : place, className: 'ListItem-module__listItem__v3B4n' },
      h(
        'div',
        { 'data-testid': 'list-view-item-title-container' },
        h(
          'h4',
          null,
          h('a', { href: `/${name}` }, h('span', null, name.split('/')[1])),
          labels && h('span', { className: 'Label' }, 'Public'),
        ),
      ),
      h('a', { href: `/${name}/stargazers` }, 'Stars'),
    ),
  )
  return h('ul', { key: generation, className: 'rows' }, rows)
}
