import { CATEGORIES, isCategory, RISK_FLAGS, VERDICTS, verdictOf } from '@plugmark/shared/contract'
import { describe, expect, test } from 'vitest'
import { embeddedCatalogue, INVENTED_ROWS, UNLISTED_REPOSITORIES } from './invented.ts'
import { createRow } from './mock-row.ts'

const catalogue = embeddedCatalogue()
const records = catalogue.listings.map(({ record }) => record)

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

  test('knows repositories that it does not list', () => {
    const listed = new Set(records.map(({ owner, repo }) => `${owner}/${repo}`))
    expect(UNLISTED_REPOSITORIES.length).toBeGreaterThan(3)
    expect(UNLISTED_REPOSITORIES.filter(({ fullName }) => listed.has(fullName))).toEqual([])
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

describe('the rows', () => {
  test('the invented rows have a command where they have a verdict, and blocked builds exactly where these need approval', () => {
    for (const { fullName, install, installCheck, blockedBuilds } of INVENTED_ROWS) {
      if (installCheck) expect(install, fullName).not.toBeNull()
      expect(installCheck === 'needs-approval', fullName).toBe((blockedBuilds ?? []).length > 0)
    }
  })

  test('the invented rows have the commands that a row of their name and package has', () => {
    for (const { fullName, npmPackage, installKind, install, installable } of INVENTED_ROWS) {
      const made = createRow({ fullName, npmPackage })
      if (installKind !== 'unknown')
        expect([fullName, install, installable]).toEqual([fullName, made.install, made.installable])
    }
  })
})

test('leaves untested listings and those that are not a layer out of the success rate', () => {
  const countOf = (verdict: string) => records.filter(({ installCheck }) => installCheck === verdict).length
  const good = countOf('passed') + countOf('needs-approval')
  expect(catalogue.successRate).toBe(good / (good + countOf('failed') + countOf('timeout')))
})

test('uses the site of its options', () => {
  expect(embeddedCatalogue({ site: 'https://directory.test' }).site).toBe('https://directory.test')
})
