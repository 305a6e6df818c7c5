/** Names of the facets, and of their values that the contract has no message for. */
export const facets = {
  verdict: {
    title: 'Install check',
    values: { passed: 'Passed', 'needs-approval': 'Needs approval', all: 'All plugins' },
  },
  traits: {
    title: 'Show only',
    values: { installable: 'Can be installed', installed: 'Installed', updatable: 'Has updates' },
  },
  fits: { title: 'Fits this harness', values: { yes: 'Yes', no: 'No', unknown: 'Not known' } },
  category: { title: 'Category' },
  risk: { title: 'Risk flags', values: { none: 'None known' } },
  license: { title: 'Licence', values: { none: 'Not stated' } },
  language: { title: 'Language', values: { none: 'Not stated' } },
  owner: { title: 'Owner' },
}

/**
 * Keys of filters in a query, in the order in which they are offered. The screen shows the first name; names in every
 * language are understood. `noun` names a value of the key.
 */
export const keys = {
  category: { names: ['category'], noun: 'category' },
  risk: { names: ['risk'], noun: 'risk flag' },
  license: { names: ['license', 'licence'], noun: 'licence' },
  language: { names: ['language', 'lang'], noun: 'language' },
  owner: { names: ['owner', 'author'], noun: 'owner' },
  fits: { names: ['fits'], noun: 'answer' },
  is: { names: ['is'], noun: 'filter' },
  sort: { names: ['sort'], noun: 'sort order' },
}
