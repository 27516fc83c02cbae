import { findBaseCommit, listChangedFiles } from '../lib/changed-files.ts'
import { staticSteps } from '../lib/static-steps.ts'
import { runSteps } from '../lib/steps.ts'
import { vitestStep } from '../lib/test-steps.ts'

// Runs all checks that take seconds, so that they can run on every save. With `--changed`, lint, format and
// unit tests cover only the changes of the branch. This misses tests that read sources from the disk, so run
// the whole check at the end.
const base = process.argv.includes('--changed') ? findBaseCommit() : null
const unitTests = vitestStep('unit tests', ['unit'])
if (base !== null) unitTests.args?.push('--changed', base, '--passWithNoTests')
const [longest, ...others] = staticSteps(base === null ? null : listChangedFiles(base))
const results = await runSteps([...(longest ? [longest] : []), unitTests, ...others])
if (results.some(({ isOk }) => !isOk)) process.exitCode = 1
