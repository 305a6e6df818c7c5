import { VERDICTS } from '@plugmark/shared/contract'
import { expect, test } from 'vitest'
import { generate } from './generate.ts'
import { createCatalogue } from './invented.ts'

const catalogue = (size: number, seed?: number) => createCatalogue({ rows: generate(size, seed) })

test('generates as many listings as requested, each name, page and package once', () => {
  for (const size of [0, 1, 39, 2000]) {
    const { listings } = catalogue(size)
    expect(listings).toHaveLength(size)
    expect(new Set(listings.map(({ record }) => record.fullName.toLowerCase())).size).toBe(size)
    const pages = listings.map(({ path }) => path).filter((path) => path !== null)
    expect(new Set(pages).size).toBe(pages.length)
    const packages = listings.map(({ record }) => record.npmPackage).filter((name) => name !== null)
    expect(new Set(packages).size).toBe(packages.length)
  }
})

test('generates the same rows for the same seed only', () => {
  expect(generate(300, 5)).toEqual(generate(300, 5))
  expect(generate(300, 5)).not.toEqual(generate(300, 6))
})

test('generates curated listings and others, published and unpublished', () => {
  const kinds = catalogue(2000).listings.map(({ record }) => `${record.inRegistry} ${record.npmPackage !== null}`)
  expect(new Set(kinds).size).toBe(4)
})

test('generates every verdict, and several listings in some repositories', () => {
  const { listings, successRate } = catalogue(2000)
  const verdicts = new Set(listings.map(({ record }) => record.installCheck))
  expect(VERDICTS.every((verdict) => verdicts.has(verdict)) && verdicts.has(null)).toBe(true)
  expect(successRate).toBeGreaterThan(0.5)
  expect(new Set(listings.map(({ record }) => record.repoUrl)).size).toBeLessThan(listings.length)
})
