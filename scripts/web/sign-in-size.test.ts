import { expect, it } from 'vitest'
import { type Manifest, signInScripts } from './sign-in-size.ts'

const manifest: Manifest = {
  'index.html': { file: 'assets/index.js', isEntry: true, imports: ['_react.js'] },
  '_react.js': { file: 'assets/react.js' },
  '_form.js': { file: 'assets/form.js', imports: ['_react.js', '_input.js'] },
  '_input.js': { file: 'assets/input.js', imports: ['_form.js'] },
  'src/routes/login.tsx': { file: 'assets/login.js', imports: ['index.html', '_form.js'] },
  'src/routes/legacy-login.tsx': { file: 'assets/legacy.js', imports: ['_form.js'] },
  'src/routes/tab-frame.tsx': { file: 'assets/dashboard.js', imports: ['_charts.js'] },
  '_charts.js': { file: 'assets/charts.js' },
  'style.css': { file: 'assets/style.css', isEntry: true },
}

it('the sign-in size counts the entry, both routes, their imports and the scripts of the page once each', () => {
  const page =
    '<script src="/theme.js"></script><script type="module" crossorigin src="/assets/index.js"></script>'
  expect(signInScripts(manifest, page).sort()).toEqual([
    'assets/form.js',
    'assets/index.js',
    'assets/input.js',
    'assets/legacy.js',
    'assets/login.js',
    'assets/react.js',
    'theme.js',
  ])
})

it('measuring the sign-in size fails if one of the two routes is missing in the build', () => {
  const { 'src/routes/login.tsx': _, ...rest } = manifest
  expect(() => signInScripts(rest, '')).toThrow('src/routes/login.tsx')
})
