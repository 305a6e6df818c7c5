import { expect, test } from 'vitest'
import { listingName, listingPlace } from './listing-names.ts'

test.each<[string, string | null, string, string]>([
  ['brasswork/workshop#packages/dice', '@brasswork/dice', 'dice', 'brasswork/workshop/packages/dice'],
  ['brasswork/workshop#packages/dice', null, 'dice', 'brasswork/workshop/packages/dice'],
  ['lanternworks/harbor-notes', 'harbor-notes', 'harbor-notes', 'lanternworks'],
  ['lanternworks/harbor-notes', null, 'harbor-notes', 'lanternworks'],
  ['Lantern/Notes.dsh', '@lantern/notes', 'notes', 'Lantern/Notes.dsh'],
  ['a/b#packages/c/', null, 'c', 'a/b/packages/c/'],
  ['a/b', '@a/', 'b', 'a'],
  ['lanternworks/lantern', '@lantern/dsh', 'lantern', 'lanternworks'],
  ['brasswork/workshop#packages/client', '@brasswork/client', 'workshop', 'brasswork/workshop/packages/client'],
  ['brasswork/dsh-plugin', '@acme/plugin', 'acme', 'brasswork/dsh-plugin'],
  ['brasswork/dsh', null, 'brasswork', 'brasswork/dsh'],
  ['a/dsh-client', 'dsh-client', 'a', 'a/dsh-client'],
])('shows %s, published as %s, under the title %s and the place %s', (id, npmPackage, name, place) => {
  expect(listingName({ id, npmPackage })).toBe(name)
  expect(listingPlace({ id, npmPackage })).toBe(place)
})
