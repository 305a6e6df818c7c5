import { CATEGORIES, RISK_FLAGS } from '@plugmark/shared/contract'
import { contractMessages, type Locale } from '@plugmark/shared/i18n'
import {
  type Key,
  NONE,
  OTHER_CATEGORY,
  SORTS,
  type Sort,
  TRAITS,
  type Trait,
  VERDICT_FILTERS,
  type VerdictFilter,
} from './filters.ts'

/** What facets and their values are called; categories and risk flags have their words in `shared/i18n`. */
export interface FacetLabels {
  /** How a filter is typed. */
  readonly keys: Readonly<Record<Key, string>>
  readonly verdicts: Readonly<Record<VerdictFilter, string>>
  readonly traits: Readonly<Record<Trait, string>>
  readonly sorts: Readonly<Record<Sort, string>>
  readonly noFlags: string
  readonly noLicense: string
}

export const FACET_LABELS: Readonly<Record<Locale, FacetLabels>> = {
  en: {
    keys: { category: 'category', risk: 'risk', license: 'license', is: 'is', sort: 'sort' },
    verdicts: { passed: 'Passed', 'needs-approval': 'Needs approval', all: 'All plugins' },
    traits: { installable: 'Can be installed', installed: 'Installed', updatable: 'Has updates' },
    sorts: { stars: 'Stars', name: 'Name', checked: 'Recently checked' },
    noFlags: 'None known',
    noLicense: 'Not stated',
  },
  zh: {
    keys: { category: '分类', risk: '风险', license: '许可证', is: '状态', sort: '排序' },
    verdicts: { passed: '已通过', 'needs-approval': '需要批准', all: '全部插件' },
    traits: { installable: '可安装', installed: '已安装', updatable: '有更新' },
    sorts: { stars: '星标数', name: '名称', checked: '最近检查' },
    noFlags: '未发现',
    noLicense: '未注明',
  },
}

/** A value that can stand behind a key, as a person reads it. */
export interface LabelledValue {
  readonly value: string
  readonly name: string
}

/** The values that are known of each filter, in one language. Risk flags and licences are open: listings bring newer ones. */
export function facetValues(language: Locale): Readonly<Record<Key, readonly LabelledValue[]>> {
  const { verdicts, traits, sorts, noFlags, noLicense } = FACET_LABELS[language]
  const { category, riskFlag } = contractMessages(language)
  return {
    category: [...CATEGORIES, OTHER_CATEGORY].map((value) => ({ value, name: category(value) })),
    risk: [{ value: NONE, name: noFlags }, ...RISK_FLAGS.map((value) => ({ value, name: riskFlag(value).name }))],
    license: [{ value: NONE, name: noLicense }],
    is: [
      ...VERDICT_FILTERS.map((value) => ({ value, name: verdicts[value] })),
      ...TRAITS.map((value) => ({ value, name: traits[value] })),
    ],
    sort: SORTS.map((value) => ({ value, name: sorts[value] })),
  }
}
