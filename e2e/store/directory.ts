import { type Catalogue, createCatalogue, createRow, INVENTED_ROWS } from '@plugmark/mock-api'

/** Creates a directory with outdated install checks: all our plugins and these packages count as passed. */
export function credulousDirectory(names: readonly string[] = []): Catalogue {
  const ours = INVENTED_ROWS.filter(({ owner }) => owner === 'lanternworks')
  const wanted = new Set(names.filter((name) => ours.every(({ repo }) => repo !== name)))
  const others = [...wanted].map((name) =>
    createRow({
      fullName: `lanternworks/${name}`,
      npmPackage: name,
      description: 'One of the plugins under e2e/registry.',
      stars: 1,
      category: 'tools',
    }),
  )
  const check = { installCheck: 'passed', installCheckedAt: '2026-08-20T14:05:11.000Z', blockedBuilds: [] }
  return createCatalogue({ rows: [...ours, ...others].map((row) => ({ ...row, ...check })) })
}
