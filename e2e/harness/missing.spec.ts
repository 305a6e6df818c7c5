import { test } from '../test.ts'
import { missingHarness } from './versions.ts'

// Stands in for all journeys of a harness that cannot be started here, so that the run counts and names them as not run.
test('journeys on this harness', ({ harnessVersion }) => {
  test.skip(true, missingHarness(harnessVersion) ?? '')
})
