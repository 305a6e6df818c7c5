import { isReserved } from './reserved.ts'

/** The address of a page, in the parts that tell its kind. */
export interface Address {
  readonly hostname: string
  /** Between slashes; the first page of a site has one empty part. */
  readonly path: readonly string[]
  /** The first value of a parameter, null where it has none. */
  parameter(name: string): string | null
}

export const addressOf = ({ hostname, pathname, search }: URL): Address => ({
  hostname,
  path: pathname.slice(1, pathname.endsWith('/') ? -1 : undefined).split('/'),
  parameter: (name) => new URLSearchParams(search).get(name),
})

/**
 * Whether the path has one of these forms, in which `*` stands for any one part. Told by hand: a page is looked at by the
 * patterns of every kind before its first badge, and to compile one takes longer than to read all of these.
 */
export const isAt = ({ path }: Address, ...forms: readonly string[]): boolean =>
  forms.some((form) => {
    const parts = form.split('/')
    return parts.length === path.length && parts.every((part, i) => part === '*' || part === path[i])
  })

const hasOwner = ({ path: [owner = ''] }: Address): boolean => owner !== '' && !isReserved(owner)

/** Whether the page is the front of a person or an organisation, whatever tab of it. */
export const isOwnerPage = (page: Address): boolean => page.path.length === 1 && hasOwner(page)

/** Whether the page is a repository's, or any page below it. */
export const isRepositoryPage = (page: Address): boolean => page.path.length > 1 && hasOwner(page)
