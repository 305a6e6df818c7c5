import fc from 'fast-check'
import { expect, it } from 'vitest'
import { packFaces } from './pack.ts'
import { findFace, isTable } from './table.ts'

const repository = fc.stringMatching(/^[a-z\d][a-z\d-]{0,20}\/[a-z\d._-]{1,30}$/)
const code = fc.integer({ min: 256, max: 65_535 })
const salt = fc.integer({ min: 0, max: 2 ** 32 - 1 })

it('finds what was packed and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(repository, code), fc.array(repository), salt, async (faces, others, salt) => {
      const table = await packFaces(new Map(Object.entries(faces)), salt)
      expect(isTable(table)).toBe(true)
      for (const [name, face] of Object.entries(faces)) expect(findFace(table, name, salt)).toBe(face)
      for (const name of others) if (!(name in faces)) expect(findFace(table, name, salt)).toBeNull()
    }),
  )
})

it('is a text of 8-bit characters, 7 a repository', async () => {
  const faces = new Map(Array.from({ length: 1000 }, (_, n) => [`owner-${n}/repo`, 256 + n]))
  const table = await packFaces(faces, 7)
  expect(table).toHaveLength(7000)
  expect([...table].every((character) => character.charCodeAt(0) < 256)).toBe(true)
  expect(isTable(table.slice(1))).toBe(false)
})

it('knows nobody under another salt', async () => {
  const faces = new Map(Array.from({ length: 1000 }, (_, n) => [`owner-${n}/repo`, 256]))
  const table = await packFaces(faces, 7)
  expect([...faces.keys()].filter((name) => findFace(table, name, 8) !== null)).toEqual([])
})

it('tells similar names apart', async () => {
  const names = Array.from({ length: 60_000 }, (_, n) => `o/${n.toString(36)}`)
  const table = await packFaces(new Map(names.map((name) => [name, 256])), 1)
  const rows = new Set(Array.from({ length: table.length / 7 }, (_, at) => table.slice(at * 7, at * 7 + 5)))
  expect(rows.size).toBe(names.length)
})
