/**
 * Name of the element. Set its properties `bridge` (once) and `language` (`en` or `zh`, at any time). To keep its view in
 * the page's address, set `address` to what that holds, and on its event `address` put there what `detail` says:
 * `[address, replace]`, in the form of an address's query. With `noFrames`, the page shows
 * the frames of trials itself. What stands in its slot `head` is shown beside its title.
 */
export const ELEMENT = 'plugmark-store'
