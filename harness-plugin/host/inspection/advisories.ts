/** What is known against packages: the advisories that their registry has. */
import satisfies from 'semver/functions/satisfies.js'
import type { Advisory } from '../../protocol/inspection.ts'
import type { RegistryAdvisories } from '../registry/registry.ts'

/** Weakness of code that was published to do harm. Source: the list of weaknesses, CWE. */
const EMBEDDED_MALICE = 'CWE-506'

/** Returns the advisories about the given versions, malware first. @param versions by name */
export function toAdvisories(
  answer: RegistryAdvisories,
  versions: Readonly<Record<string, readonly string[]>>,
): Advisory[] {
  const found = Object.entries(versions).flatMap(([name, list]) =>
    list.flatMap((version) =>
      (Object.hasOwn(answer, name) ? answer[name]! : [])
        .filter(({ vulnerable_versions: range }) => satisfies(version, range, { includePrerelease: true }))
        .map(
          ({ title, severity, url, cwe }): Advisory => ({
            package: `${name}@${version}`,
            title,
            severity,
            url,
            isMalware: cwe.includes(EMBEDDED_MALICE) || /^malware in /i.test(title),
          }),
        ),
    ),
  )
  return found.toSorted((a, b) => Number(b.isMalware) - Number(a.isMalware))
}
