import { findBaseCommit, listChangedFiles } from '../lib/changed-files.ts'
import { staticSteps } from '../lib/static-steps.ts'
import { runSteps } from '../lib/steps.ts'
import { vitestStep } from '../lib/test-steps.ts'

// Runs on every save: all checks that take seconds. With `--changed`, lint, format and unit tests cover only the
// changes of the branch. Tests that read sources from the disk are not among them, so run the whole check at the end.
const base = process.argv.includes('--changed') ? findBaseCommit() : null
const unitTests = vitestStep('unit tests', ['unit'])
if (base !== null) unitTests.args?.push('--changed', base, '--passWithNoTests')
const [longest, ...others] = staticSteps(base === null ? null : listChangedFiles(base))
const results = await runSteps([...(longest ? [longest] : []), unitTests, ...others])
if (results.some(({ isOk }) => !isOk)) process.exitCode = 1
