import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startConsole } from '../console/console.ts'
import { occupy, profileHash } from '../harness/home.ts'
import { expect, openDetails, outcomeOf, review, test } from './test.ts'

const NOTES = 'dsh-plugin-harbor-notes'

test('a page whose console ended before its job began says after the restart that nothing was changed', async ({
  page,
  api,
  home,
  tarball,
}) => {
  const directory = await mkdtemp(join(tmpdir(), 'plugmark-console-'))
  const settings = { trial: false }
  const options = { api: api.url, home: home.home, command: home.command, env: home.env, tarball, settings, directory }
  let koishi = await startConsole(options)
  try {
    await page.addInitScript(() => localStorage.setItem('koishi.console.config', '{"locale":"en-US"}'))
    await page.goto(`${koishi.url}/plugmark`)
    const job = page.getByRole('region', { name: `${NOTES} into profile web` })
    const status = outcomeOf(job)
    const before = await profileHash(home)
    const leave = await occupy(home)
    const sheet = await review(page, NOTES)
    await sheet.getByRole('button', { name: 'Install' }).click()
    await expect(status).toContainText('Waiting for another program that is using this profile')
    await koishi.close()

    koishi = await startConsole({ ...options, port: Number(new URL(koishi.url).port) })
    await expect(status).toContainText('Interrupted')
    await expect(job).toContainText('Nothing was changed')
    await openDetails(job)
    await expect(job.getByRole('button', { name: 'Try again…' })).toBeVisible()
    await leave()
    expect(await profileHash(home)).toBe(before)
  } finally {
    await koishi.close()
    await rm(directory, { recursive: true, force: true })
  }
})
