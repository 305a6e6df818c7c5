/**
 * The title of a row in the code host's lists that are drawn by React. Class names end in a hash that changes with
 * every release, and the test id is not there in all of them: each part stands for a spelling that was seen.
 */
export const REACT_LIST_TITLE = [
  '[data-testid="list-view-item-title-container"] :is(h3, h4) a',
  '[data-listview-item-title-container] :is(h3, h4) a',
  '[class*=ReposListItem-module__NwoTitle] a',
].join(', ')
