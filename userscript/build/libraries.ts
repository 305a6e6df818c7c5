import { minifySync, type Plugin } from 'vite'

/**
 * Shortens the names inside the libraries, which is a tenth of the script: their sources are public and are named at
 * its end. Names in our own code stay as they are written.
 */
export function shortenLibraries(): Plugin {
  return {
    name: 'shorten-libraries',
    transform: {
      filter: { id: /\/node_modules\// },
      handler(code, id) {
        const { code: short, errors } = minifySync(id, code, { module: true, codegen: { removeWhitespace: false } })
        if (errors.length > 0) throw new Error(`${id} cannot be shortened: ${errors[0]!.message}`)
        return { code: short, map: null }
      },
    },
  }
}
