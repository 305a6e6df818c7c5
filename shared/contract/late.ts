import * as v from 'valibot'

/**
 * A schema that is made when it is first used. To make them all takes half a millisecond, and a page waits for its
 * badges meanwhile, which need none.
 */
// @__NO_SIDE_EFFECTS__
export function late<S extends v.GenericSchema>(make: () => S): v.LazySchema<S> {
  let made: S | undefined
  return v.lazy(() => (made ??= make()))
}
