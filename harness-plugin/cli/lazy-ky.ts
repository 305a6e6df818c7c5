/**
 * Replaces ky in the packed program. ky checks the features of `fetch` at its import, which makes Node load all of it.
 * That takes a tenth of a second, which a search of the stored index does not need.
 */
import type { KyInstance } from 'ky'

const ky = {
  create(...options: Parameters<KyInstance['create']>) {
    let http: Promise<KyInstance> | null = null
    return async (...request: Parameters<KyInstance>) => {
      http ??= import('ky').then(({ default: ky }) => ky.create(...options))
      return (await http)(...request)
    }
  },
}
export default ky

const isNamed = (error: unknown, name: string) => error instanceof Error && error.name === name
export const isHTTPError = (error: unknown): boolean => isNamed(error, 'HTTPError')
export const isTimeoutError = (error: unknown): boolean => isNamed(error, 'TimeoutError')
