import { parseArgs } from 'node:util'
import { packDsh } from './build/dsh.ts'
import { packKoishi } from './build/koishi.ts'

export { packDsh, packKoishi }

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } })
  const options = values.out ? { outDir: values.out } : {}
  for (const pack of [packKoishi, packDsh]) console.log((await pack(options)).tarball)
}
