import { describe, expect, it, vi } from 'vitest'
import { phrasesIn } from '../phrases/index.ts'
import { askProfile, readProfile } from './profile.ts'

const phrases = phrasesIn('en')
const values = (kept: unknown) => ({ values: { get: async () => kept, set: async () => {} } })

describe('the profile in use', () => {
  it('is the one that was kept', async () => {
    expect(await readProfile(values('desk'))).toBe('desk')
  })

  it.each([undefined, '', '../up', 'a b', 7])('is the default where %j is kept', async (kept) => {
    expect(await readProfile(values(kept))).toBe('web')
  })

  it('is the default where the manager keeps nothing or fails', async () => {
    const failing = { get: () => Promise.reject(new Error('no storage')), set: async () => {} }
    expect(await readProfile({ values: null })).toBe('web')
    expect(await readProfile({ values: failing })).toBe('web')
  })
})

describe('asking for a profile', () => {
  it('takes a valid name', () => {
    expect(askProfile(() => ' desk ', phrases, 'web')).toBe('desk')
  })

  it('asks again with the reason, starting from what was typed', () => {
    const ask = vi.fn().mockReturnValueOnce('no; good').mockReturnValueOnce('good')
    expect(askProfile(ask, phrases, 'web')).toBe('good')
    expect(ask.mock.calls[1]).toEqual([expect.stringContaining('“no; good” cannot be a profile name'), 'no; good'])
  })

  it('changes nothing when the person leaves, or keeps the name', () => {
    expect(askProfile(() => null, phrases, 'web')).toBeNull()
    expect(askProfile(() => 'web', phrases, 'web')).toBeNull()
  })
})
