import { faultHandler } from '@plugmark/mock-api'
import { verdictOf } from '@plugmark/shared/contract'
import { expect, rowsOf, test } from './test.ts'

const installCheck = (path: string) => new URL(path, 'http://directory').searchParams.get('installCheck')

test('the store asks for the plugins that passed, and lists just those', async ({ store, api }) => {
  const passed = api.catalogue.listings.filter(({ record }) => verdictOf(record) === 'passed').length
  await expect(store.getByText(`${passed} plugins`, { exact: true })).toBeVisible()
  expect(passed).toBeGreaterThan(0)
  await expect(store.getByRole('button', { name: 'Refresh' })).toBeEnabled()
  const queries = api.requests.filter(({ path }) => path.startsWith('/api/v1/plugins'))
  expect(queries.length).toBeGreaterThan(0)
  expect(new Set(queries.map(({ path }) => installCheck(path)))).toEqual(new Set(['passed', 'needs-approval']))
})

test.describe('a directory that ignores the filter', () => {
  test.use({ directory: { quirks: 'live' } })

  test('is filtered by the verdicts in its records', async ({ store, api }) => {
    const passed = api.catalogue.listings.filter(({ record }) => verdictOf(record) === 'passed')
    await expect(store.getByText(`${passed.length} plugins`, { exact: true })).toBeVisible()
    expect(await rowsOf(store).first().getAttribute('aria-setsize')).toBe(String(passed.length))
    await expect(store.getByText('dsh-plugin-broken-mast')).toHaveCount(0)
    await expect(store.getByText('dsh-plugin-copper-bell')).toHaveCount(0)
    expect(api.requests.some(({ path }) => installCheck(path) === 'passed')).toBe(true)
  })
})

test.describe('a directory that ignores the filter and sends no verdicts', () => {
  test.use({ directory: { quirks: 'live', recordVerdicts: false } })

  test('has nothing that is shown as verified', async ({ store, api }) => {
    await expect(store.getByText('This directory has no reliable install checks')).toBeVisible()
    await expect(store.getByRole('list', { name: 'Plugins' })).toHaveCount(0)
    await expect(store.getByRole('button', { name: /^Install\b/ })).toHaveCount(0)
    expect(api.requests.some(({ path }) => installCheck(path) === 'passed')).toBe(true)
  })
})

test.describe('a directory that fails', () => {
  test.use({ directory: { fault: 'html' } })

  test('is told, and read again on Retry', async ({ store, api }) => {
    await expect(store.getByText('Could not load the directory')).toBeVisible()
    const before = api.requests.length
    await store.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => api.requests.length).toBeGreaterThan(before)
  })
})

test.describe('a directory that only filters', () => {
  test.use({ directory: { recordVerdicts: false } })

  test('tells by that what passed and what waits for approval', async ({ store, api }) => {
    const count = (verdict: string) =>
      api.catalogue.listings.filter(({ record }) => verdictOf(record) === verdict).length
    await expect(store.getByText(`${count('passed')} plugins`, { exact: true })).toBeVisible()
    await expect(store.getByRole('radio', { name: `Needs approval ${count('needs-approval')}` })).toBeVisible()
    expect(count('needs-approval')).toBeGreaterThan(0)
  })
})

test('a failure keeps the rows that are here', async ({ store, api }) => {
  const refresh = store.getByRole('button', { name: 'Refresh' })
  // The first rows are there before the directory has been read to its end.
  await expect(rowsOf(store).first()).toBeVisible()
  await expect(refresh).toBeEnabled()
  api.use(faultHandler('malformed'))
  await refresh.click()
  await expect(store.getByText(/Could not load the directory\. Showing the list from this minute/)).toBeVisible()
  await expect(rowsOf(store).first()).toBeVisible()
  api.resetHandlers()
  await store.getByRole('button', { name: 'Retry' }).click()
  await expect(store.getByText('Could not load the directory')).toHaveCount(0)
})
