import { findBaseCommit, listChangedFiles } from '../lib/changed-files.ts'
import { staticSteps } from '../lib/static-steps.ts'
import { runSteps } from '../lib/steps.ts'
import { vitestStep } from '../lib/test-steps.ts'

// Runs the checks that take only seconds, for use on every save. With `--changed`, lint, format and unit tests include
// only files that were changed on this branch. This leaves out tests that read source files, so run the whole check at
// the end.
const base = process.argv.includes('--changed') ? findBaseCommit() : null
const unitTests = vitestStep('unit tests', ['unit'])
if (base !== null) unitTests.args?.push('--changed', base, '--passWithNoTests')
const [longest, ...others] = staticSteps(base === null ? null : listChangedFiles(base))
const results = await runSteps([...(longest ? [longest] : []), unitTests, ...others])
if (results.some(({ isOk }) => !isOk)) process.exitCode = 1
