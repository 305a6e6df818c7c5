import { parseArgs } from 'node:util'
import { packCli } from './build/cli.ts'
import { packDsh } from './build/dsh.ts'
import { packKoishi } from './build/koishi.ts'

export { packCli, packDsh, packKoishi }

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } })
  const options = values.out ? { outDir: values.out } : {}
  for (const pack of [packKoishi, packDsh, packCli]) console.log((await pack(options)).tarball)
}
