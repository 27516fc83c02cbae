import { type Step, tool } from './steps.ts'

/** Everything that is known of the code without running it. */
export const STATIC_STEPS: readonly Step[] = [
  {
    name: 'lint',
    script: tool('oxlint', 'bin', 'oxlint'),
    args: ['--deny-warnings', '--report-unused-disable-directives'],
  },
  { name: 'types', script: tool('typescript', 'bin', 'tsc'), args: ['-b', '--noEmit', '.', 'scripts'] },
  { name: 'format', script: tool('@biomejs', 'biome', 'bin', 'biome'), args: ['ci', '--colors=off', '.'] },
  { name: 'dead code', script: tool('knip', 'bin', 'knip.js'), args: ['--no-progress'] },
]
