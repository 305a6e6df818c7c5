/** What a version can do that the one before could not. */
import type { Ability, CodeReading } from '../../protocol/inspection.ts'

type Code = Pick<CodeReading & { readonly state: 'read' }, 'abilities' | 'unread'>

/** Returns the part of a reading that an older one does not have. */
export function gainedCode(code: Code, before: Code): Code {
  const hadUnread = new Set(before.unread.map(({ reason }) => reason))
  return {
    abilities: code.abilities.flatMap((ability) => gained(ability, before.abilities)),
    // A bundle has another name in each version.
    unread: code.unread.filter(({ reason }) => !hadUnread.has(reason)),
  }
}

function gained(ability: Ability, before: readonly Ability[]): Ability[] {
  const old = before.find(({ kind }) => kind === ability.kind)
  if (old === undefined) return [ability]
  const known = new Set(old.names.map((name) => subject(ability.kind, name)))
  const names = ability.names.filter((name) => !known.has(subject(ability.kind, name)))
  const more = ability.more && !old.more
  return names.length > 0 || more ? [{ ...ability, names, more }] : []
}

/** Returns what a name is about: of a dependency its package, as another range of it is no other package. */
const subject = (kind: Ability['kind'], name: string): string =>
  kind === 'dependency' ? name.replace(/ .*/, '') : name
