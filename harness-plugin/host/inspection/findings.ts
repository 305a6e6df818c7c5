/** Collects what was found in a package, by kind, with the places of each name. */
import { ABILITIES, type Ability, type AbilityKind } from '../../protocol/inspection.ts'
import type { CodeFacts } from './code/powers.ts'

/** Names of one ability that are compared, far more than are told, and places without a name. */
const MAX_NAMES = 10_000
const MAX_PLACES = 20
/** Variables that are harmless everywhere: how to print, in which language, and whether a build service runs it. */
const HARMLESS =
  /^(?:NO_COLOR|FORCE_COLOR|COLOR|CLICOLOR(?:_FORCE)?|COLORTERM|COLUMNS|LINES|TERM|TERM_PROGRAM(?:_VERSION)?|TERMINAL_EMULATOR|WT_SESSION|DEBUG|NODE_DEBUG|NODE_ENV|LANG|LANGUAGE|LC_\w+|TZ|CI|CI_NAME|CONTINUOUS_INTEGRATION|BUILD_NUMBER|TRAVIS|CIRCLECI|APPVEYOR|GITLAB_CI|GITHUB_ACTIONS|TEAMCITY_VERSION|TF_BUILD)$/

/** An ability with a place of each of its names, and others up to a limit. */
export type FoundAbility = Omit<Ability, 'places'> & {
  readonly places: readonly FindingPlace[]
  /** Count of each way in which the code does it, where a name does not tell what it does. */
  readonly uses: ReadonlyMap<string, number>
}
type FindingPlace = Ability['places'][number] & {
  /** Host, program or variable that the ability is about here; null when that is decided while the code runs. */
  readonly name: string | null
  /** One of the uses; undefined for what a name tells. */
  readonly use: string | undefined
}
/** Joins the name with the code that uses it. */
export const nameOfUse = (use: string): string | null => use.slice(0, use.indexOf('\n')) || null

/** Collects findings by kind. */
export class Findings {
  readonly #kinds = new Map<
    AbilityKind,
    { names: Set<string>; harmless: Set<string>; uses: Map<string, number>; places: Map<string, FindingPlace> }
  >()

  /** @param how code by which it is done */
  add(
    kind: AbilityKind,
    name: string | null,
    place?: Ability['places'][number],
    how = name === null ? '' : null,
  ): void {
    const known = this.#kinds.get(kind) ?? { names: new Set(), harmless: new Set(), uses: new Map(), places: new Map() }
    this.#kinds.set(kind, known)
    if (kind === 'environment' && name !== null && HARMLESS.test(name)) {
      known.harmless.add(name)
      return
    }
    const isFirst = name !== null && !known.names.has(name) && known.names.size < MAX_NAMES
    if (isFirst) known.names.add(name)
    const isNamed = name !== null && known.names.has(name)
    let use: string | undefined
    let isFirstUse = false
    if (!isNamed || how !== null) {
      use = `${isNamed ? name : ''}\n${how ?? ''}`
      isFirstUse = !known.uses.has(use) && known.uses.size < MAX_NAMES
      if (!isFirstUse && !known.uses.has(use)) use = '\n'
      // The same command in another place is the same use.
      known.uses.set(use, isNamed && use !== '\n' ? 1 : (known.uses.get(use) ?? 0) + 1)
    }
    const key = place && `${place.line} ${use ?? name} ${place.file}`
    if (key && !known.places.has(key) && (isFirst || isFirstUse || known.places.size < MAX_PLACES))
      known.places.set(key, { ...place, name, use })
  }

  addCode({ findings }: CodeFacts, file: string, firstLine = 1): void {
    for (const { kind, name, line, use } of findings) this.add(kind, name, { file, line: line + firstLine - 1 }, use)
  }

  list(): FoundAbility[] {
    return ABILITIES.flatMap((kind) => {
      const known = this.#kinds.get(kind)
      if (known === undefined || (known.names.size === 0 && known.uses.size === 0)) return []
      const { names, harmless, uses, places } = known
      const more = [...uses.keys()].some((use) => nameOfUse(use) === null)
      return [{ kind, names: [...names].toSorted(), harmless: harmless.size, more, uses, places: [...places.values()] }]
    })
  }
}
