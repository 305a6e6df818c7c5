import { CATEGORIES, countsAsInstallable, isCategory, RISK_FLAGS, VERDICTS, verdictOf } from '@plugmark/shared/contract'
import { describe, expect, test } from 'vitest'
import { EMBEDDED_REPOSITORIES, embeddedCatalogue } from './embedded.ts'
import { rejectionReason } from './rules.ts'

const catalogue = embeddedCatalogue()
const records = catalogue.listings.map(({ record }) => record)
const packages = EMBEDDED_REPOSITORIES.flatMap((repository) =>
  repository.packages.map((fixture) => ({ repository, fixture, reason: rejectionReason(repository, fixture) })),
)

describe('the embedded catalogue', () => {
  test('lists at least sixty repositories, each name and page once', () => {
    const listed = new Set(records.map(({ repoUrl }) => repoUrl))
    expect(listed.size).toBeGreaterThanOrEqual(60)
    expect(new Set(records.map(({ fullName }) => fullName.toLowerCase())).size).toBe(records.length)
    const pages = catalogue.listings.map(({ path }) => path).filter((path) => path !== null)
    expect(new Set(pages).size).toBe(pages.length)
    for (const page of pages) expect(page).toMatch(/^\/plugins\/[a-z0-9-]+$/)
    const published = records.map(({ npmPackage }) => npmPackage).filter((name) => name !== null)
    expect(new Set(published).size).toBe(published.length)
  })

  test('has a package for each rejection reason', () => {
    expect(new Set(packages.map(({ reason }) => reason))).toEqual(
      new Set([null, 'not-a-plugin', 'too-few-commits', 'no-description']),
    )
    expect(packages.some(({ repository, reason }) => repository.topics?.length && reason === 'not-a-plugin')).toBe(true)
  })

  test('has every verdict, risk flag and category, none of each, and a newer category', () => {
    expect(new Set(records.map(verdictOf))).toEqual(new Set([...VERDICTS, null]))
    expect(new Set(records.flatMap(({ riskFlags }) => riskFlags))).toEqual(new Set(RISK_FLAGS))
    expect(records.some(({ riskFlags }) => riskFlags.length === 0)).toBe(true)
    const categories = new Set(records.map(({ category }) => category))
    expect([...CATEGORIES, null].filter((category) => !categories.has(category))).toEqual([])
    expect([...categories].some((category) => category !== null && !isCategory(category))).toBe(true)
  })

  test('has nulls, a summary of the greatest length, markup, and Chinese in an English field', () => {
    for (const field of ['summary', 'summaryZh', 'license', 'language', 'install', 'npmPackage'] as const) {
      expect(
        records.some((record) => record[field] === null),
        field,
      ).toBe(true)
    }
    const summaries = records.map(({ summary }) => summary ?? '')
    expect(Math.max(...summaries.map(({ length }) => length))).toBe(1100)
    expect(summaries.some((summary) => /<\w+>/.test(summary))).toBe(true)
    expect(summaries.some((summary) => /^\p{Script=Han}/u.test(summary))).toBe(true)
  })

  test('has a dozen listings in one repository, subdirectories with and without a command, and capitals in names', () => {
    const inWorkshop = records.filter(({ repo }) => repo === 'workshop')
    expect(inWorkshop).toHaveLength(12)
    const subdirectories = records.filter(({ subpath }) => subpath !== null)
    expect(new Set(subdirectories.map(({ install }) => install === null))).toEqual(new Set([true, false]))
    expect(records.some(({ owner, repo }) => /[A-Z]/.test(owner ?? '') && /[A-Z]/.test(repo ?? ''))).toBe(true)
  })

  test('has published and unpublished listings, inside the curated registry and outside it', () => {
    const kinds = records.map(({ inRegistry, npmPackage }) => `${inRegistry} ${npmPackage !== null}`)
    expect([...new Set(kinds)].sort()).toEqual(['false false', 'false true', 'true false', 'true true'])
  })

  test('has repositories with equal stars', () => {
    expect(new Set(records.map(({ stars }) => stars)).size).toBeLessThan(
      new Set(records.map(({ repoUrl }) => repoUrl)).size,
    )
  })

  test('has equal stars across the edges of pages of 24 and 48, where a live directory repeats a row', () => {
    for (const edge of [24, 48]) expect(records[edge]?.stars).toBe(records[edge - 1]?.stars)
  })
})

describe('the fixtures', () => {
  const checked = packages.flatMap(({ repository, fixture }) =>
    fixture.check ? [{ repository, fixture, check: fixture.check }] : [],
  )

  test('have a command for every package with a verdict', () => {
    const without = new Set(records.filter(({ install }) => install === null).map(({ fullName }) => fullName))
    expect(records.filter((record) => record.installCheck && without.has(record.fullName))).toEqual([])
  })

  test('make every package that installs a layer, and no package that is not-a-layer', () => {
    for (const { repository, fixture, check } of checked) {
      const isLayer = fixture.manifest?.dsh?.bundle !== undefined
      if (countsAsInstallable(check.verdict)) expect(isLayer, repository.repository).toBe(true)
      if (check.verdict === 'not-a-layer') expect(isLayer, repository.repository).toBe(false)
    }
  })

  test('have the verdict needs-approval exactly when a build was blocked', () => {
    for (const { repository, check } of checked) {
      expect(check.verdict === 'needs-approval', repository.repository).toBe((check.blocked ?? []).length > 0)
    }
  })
})

test('leaves untested listings and those that are not a layer out of the success rate', () => {
  const of = (verdict: string) => records.filter(({ installCheck }) => installCheck === verdict).length
  const good = of('passed') + of('needs-approval')
  expect(catalogue.successRate).toBe(good / (good + of('failed') + of('timeout')))
})

test('uses the site that was given', () => {
  expect(embeddedCatalogue({ site: 'https://directory.test' }).site).toBe('https://directory.test')
})
