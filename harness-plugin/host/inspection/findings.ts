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
  readonly places: readonly Place[]
  /** Number of times that it was seen without a name, or with one beyond the limit. */
  readonly unnamed: number
}
type Place = Ability['places'][number] & {
  /** Host, program or variable that the ability is about here; null when that is decided while the code runs. */
  readonly name: string | null
}

/** Collects findings by kind. */
export class Findings {
  readonly #kinds = new Map<
    AbilityKind,
    { names: Set<string>; harmless: Set<string>; unnamed: number; places: Map<string, Place> }
  >()

  add(kind: AbilityKind, name: string | null, place?: Ability['places'][number]): void {
    const known = this.#kinds.get(kind) ?? { names: new Set(), harmless: new Set(), unnamed: 0, places: new Map() }
    this.#kinds.set(kind, known)
    if (kind === 'environment' && name !== null && HARMLESS.test(name)) {
      known.harmless.add(name)
      return
    }
    const isFirst = name !== null && !known.names.has(name) && known.names.size < MAX_NAMES
    if (isFirst) known.names.add(name)
    else if (name === null || !known.names.has(name)) known.unnamed++
    const key = place && `${place.line} ${name} ${place.file}`
    if (key && !known.places.has(key) && (isFirst || known.places.size < MAX_PLACES))
      known.places.set(key, { ...place, name })
  }

  addCode({ findings }: CodeFacts, file: string, firstLine = 1): void {
    for (const { kind, name, line } of findings) this.add(kind, name, { file, line: line + firstLine - 1 })
  }

  list(): FoundAbility[] {
    return ABILITIES.flatMap((kind) => {
      const known = this.#kinds.get(kind)
      if (known === undefined || (known.names.size === 0 && known.unnamed === 0)) return []
      const { names, harmless, unnamed, places } = known
      const list = [...names].toSorted()
      return [{ kind, names: list, harmless: harmless.size, more: unnamed > 0, unnamed, places: [...places.values()] }]
    })
  }
}
