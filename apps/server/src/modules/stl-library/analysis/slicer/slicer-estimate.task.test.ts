import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it, onTestFinished } from 'vitest'
import { build3mf } from '../../../../../../../packages/mesh/test/threemf-tools.ts'
import { buildTestApp, type TestApp } from '../../../../../test/support/build-test-app.ts'
import { analyzed, upload } from '../../../../../test/support/library/model-upload.ts'
import { isAlive } from '../../../../../test/process/is-alive.ts'

const CUBE = writeBinaryStl(createCube(20))
/** The path at which Debian's package installs PrusaSlicer. */
const PRUSA_SLICER = '/usr/bin/prusa-slicer'

const GOOD = [
  '; filament used [cm3] = 3.04',
  '; total filament used [g] = 0.00',
  '; estimated printing time (normal mode) = 1h 2m 30s',
]

/**
 * Writes a script that stands in for the slicer. It records its arguments and environment, then runs the instructions
 * `behavior`, which can use `input` and `output`.
 */
async function aSlicer(behavior: string): Promise<StandIn> {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-test-slicer-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'slicer')
  const record = join(folder, 'runs')
  const script = `#!${process.execPath}
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs')
const { spawn } = require('node:child_process')
const args = process.argv.slice(2)
const output = args[args.indexOf('--output') + 1]
const input = args.at(-1)
appendFileSync(${JSON.stringify(record)}, JSON.stringify({ pid: process.pid, args, env: process.env, cwd: process.cwd(), input: readFileSync(input).toString('base64') }) + '\\n')
eval(readFileSync(process.argv[1] + '.behavior', 'utf8'))
`
  const behave = (next: string) => writeFile(`${path}.behavior`, next)
  await behave(behavior)
  await writeFile(path, script)
  await chmod(path, 0o755)
  const runs = async () => {
    const lines = existsSync(record) ? (await readFile(record, 'utf8')).trim().split('\n') : []
    return lines.map((line) => JSON.parse(line) as Run)
  }
  return { path, folder, behave, runs }
}

interface StandIn {
  path: string
  folder: string
  /** Replaces the instructions of the script. */
  behave(behavior: string): Promise<void>
  runs(): Promise<Run[]>
}

interface Run {
  pid: number
  args: string[]
  env: Record<string, string>
  cwd: string
  input: string
}

const writes = (lines: readonly string[]) => `writeFileSync(output, ${JSON.stringify(lines.join('\n'))})`

async function anApp(program: string, logTo?: { write(line: string): void }): Promise<TestApp> {
  return buildTestApp({
    variables: { SLICER_PATH: program, LOG_LEVEL: 'info' },
    slicerLimits: { deadlineMs: 10_000, maxOutputBytes: 20_000_000 },
    ...(logTo && { logTo }),
  })
}

type Headers = { authorization: string }

async function add(app: TestApp, staff: Headers, name: string, bytes = CUBE): Promise<Model> {
  const answer = await upload(app, staff, { name, bytes })
  expect(answer.statusCode, answer.body).toBe(201)
  return analyzed(app, staff, answer.json<Model>().id)
}

const read = async (app: TestApp, headers: Headers, { id }: Model) =>
  (await app.http.inject({ url: `/api/stl-files/${id}`, headers })).json<Model>()

/** Waits until the slicer's task has ended, and returns the model. */
async function sliced(app: TestApp, headers: Headers, model: Model): Promise<Model> {
  await expect
    .poll(
      async () => {
        const [row] = await app.database.sql<[{ open: number }]>`
          select count(*)::int as open from pgboss.job
          where name = 'stl-library.slice' and state in ('created', 'retry', 'active')`
        return row.open
      },
      { timeout: 60_000 },
    )
    .toBe(0)
  return read(app, headers, model)
}

const leftovers = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('pegasus-slice-'))

describe('estimates of a working slicer', () => {
  it("the slicer's estimate replaces the estimate from the geometry for all models with the same bytes", async () => {
    const slicer = await aSlicer(writes(GOOD))
    const app = await anApp(slicer.path)
    const staff = await app.as('staff')
    const model = await sliced(app, staff, await add(app, staff, 'a.stl'))
    expect(model.print_estimate).toMatchObject({ source: 'slicer', minutes: 63 })
    expect(model.print_estimate?.weights).toContainEqual({ material: 'PETG', grams: 3.9 })
    expect((await add(app, staff, 'b.stl')).print_estimate).toEqual(model.print_estimate)
    expect(await slicer.runs()).toHaveLength(1)
  })

  it('the cleanup removes files left by slicers of killed servers, and keeps files of running slicers', async () => {
    const app = await buildTestApp()
    const folder = await mkdtemp(join(tmpdir(), 'pegasus-test-slices-'))
    const mark = `pegasus-slice-${folder.slice(-6)}`
    const [old, young, link] = ['old', 'young', 'link'].map((name) => join(tmpdir(), `${mark}-${name}`))
    if (!old || !young || !link) throw new Error('no names')
    onTestFinished(async () => {
      for (const path of [folder, old, young, link]) await rm(path, { recursive: true, force: true })
    })
    for (const path of [old, young, folder]) {
      await mkdir(path, { recursive: true })
      await writeFile(join(path, 'sliced.gcode'), 'G28')
    }
    await symlink(folder, link)
    const hoursAgo = new Date(Date.now() - 2 * 60 * 60_000)
    for (const path of [old, folder]) await utimes(path, hoursAgo, hoursAgo)
    await app.cleanup.run()
    expect([old, young, join(folder, 'sliced.gcode')].map((path) => existsSync(path))).toEqual([
      false,
      true,
      true,
    ])
  })

  it("the slicer's estimate gives the weight in the material for which the slicer is configured", async () => {
    const settings = ['; filament_type = PETG', '; filament used [g] = 3.99']
    const slicer = await aSlicer(writes([...GOOD.filter((line) => !line.includes('[g]')), ...settings]))
    const app = await anApp(slicer.path)
    const staff = await app.as('staff')
    const { print_estimate } = await sliced(app, staff, await add(app, staff, 'a.stl'))
    expect(print_estimate?.weights[0]).toEqual({ material: 'PETG', grams: 4 })
    expect(print_estimate?.weights.filter(({ material }) => material === 'PETG')).toHaveLength(1)
  })

  it('the slicer receives a 3MF without the command that was embedded in it', async () => {
    const slicer = await aSlicer(writes(GOOD))
    const app = await anApp(slicer.path)
    const staff = await app.as('staff')
    const command = {
      name: 'Metadata/Slic3r_PE.config',
      data: '; post_process = touch /tmp/owned\n',
      isStored: true,
    }
    const bytes = build3mf({}, [command])
    const model = await sliced(app, staff, await add(app, staff, 'a.3mf', bytes))
    expect(model.has_slicer_command).toBe(true)
    const [run] = await slicer.runs()
    expect(run?.args.at(-1)).toMatch(/model\.3mf$/)
    expect(Buffer.from(run?.input ?? '', 'base64').includes('post_process')).toBe(false)
    expect(Buffer.from(bytes).includes('post_process')).toBe(true)
  })

  it('the output of PrusaSlicer can be read, or the output of a stand-in if PrusaSlicer is not installed', async () => {
    const isInstalled = existsSync(PRUSA_SLICER)
    const program = isInstalled ? PRUSA_SLICER : (await aSlicer(writes(GOOD))).path
    const app = await buildTestApp({ variables: { SLICER_PATH: program } })
    const staff = await app.as('staff')
    const { print_estimate } = await sliced(app, staff, await add(app, staff, 'a.stl'))
    const grams = print_estimate?.weights[0]?.grams ?? 0
    console.info(
      `A cube of 20 mm by ${isInstalled ? 'PrusaSlicer' : 'a stand-in'}: ${grams} g of PLA, ${print_estimate?.minutes} min`,
    )
    expect(print_estimate?.source).toBe('slicer')
    expect(grams).toBeGreaterThan(2)
    expect(grams).toBeLessThan(10)
  }, 120_000)
})

describe('hostile file names and faulty slicers', () => {
  const NAMES = [
    ';touch MARK;$(touch MARK)`touch MARK`',
    'a|touch MARK && touch MARK > MARK',
    '-o MARK',
    '--post-process=touch MARK',
    'a\ntouch MARK',
    `a';touch MARK;'";touch MARK;"`,
    '../../MARK%0atouch MARK',
  ]

  it('T62 a file name never reaches a shell or the arguments of the slicer', async () => {
    const slicer = await aSlicer(writes(GOOD))
    const app = await anApp(slicer.path)
    const staff = await app.as('staff')
    const mark = join(slicer.folder, 'mark')
    for (const [index, name] of NAMES.entries()) {
      // Each file has different bytes, because models with the same bytes are sliced only once.
      const bytes = writeBinaryStl(createCube(20 + index / 8))
      const file = { name: `${name.replaceAll('MARK', mark)}.stl`, bytes }
      expect((await upload(app, staff, file)).statusCode).toBe(201)
    }
    await expect.poll(async () => (await slicer.runs()).length, { timeout: 100_000 }).toBe(NAMES.length)
    const runs = await slicer.runs()
    const strange = runs.filter(({ args, cwd }) => {
      const expected = ['--export-gcode', '--output', join(cwd, 'sliced.gcode'), join(cwd, 'model.stl')]
      return JSON.stringify(args) !== JSON.stringify(expected)
    })
    const marks = existsSync(mark) ? 1 : 0
    console.info(
      `T62 marker files ${marks} of ${NAMES.length}, arguments that a name changed ${strange.length} of ${runs.length}`,
    )
    expect([marks, strange.length]).toEqual([0, 0])
    // The slicer gets only these environment variables, so it gets neither a database address nor a secret.
    const environments = new Set(runs.flatMap(({ env }) => Object.keys(env)))
    expect(
      [...environments].filter(
        (name) => !['PATH', 'HOME', 'TMPDIR', 'LC_ALL', '__CF_USER_TEXT_ENCODING'].includes(name),
      ),
    ).toEqual([])
  }, 120_000)

  // One test covers all kinds of failures, because each run has to start the slicer and its parent process.
  it('the estimate from the geometry stays if the slicer fails, reports impossible figures, or writes nothing', {
    timeout: 300_000,
  }, async () => {
    const cases = {
      fails: 'process.exit(3)',
      'makes nothing': '',
      'writes no figures': writes(['G1 X0']),
      'no plastic': writes(['; filament used [cm3] = 0.00', '; estimated printing time (normal mode) = 6s']),
      'more plastic than fits': writes([
        '; filament used [cm3] = 99999999',
        '; estimated printing time (normal mode) = 6m',
      ]),
      'a hundred years': writes([
        '; filament used [cm3] = 3',
        '; estimated printing time (normal mode) = 36500d 1h',
      ]),
      'no numbers': writes([
        '; filament used [cm3] = 1.1.1',
        '; estimated printing time (normal mode) = d d',
      ]),
      'a link': `require('node:fs').symlinkSync(${JSON.stringify('FIGURES')}, output)`,
      'is killed': `process.kill(process.pid, 'SIGKILL')`,
    }
    const slicer = await aSlicer('')
    const figures = join(slicer.folder, 'figures')
    await writeFile(figures, GOOD.join('\n'))
    const app = await anApp(slicer.path)
    const staff = await app.as('staff')
    const believed: string[] = []
    for (const [index, [name, behavior]] of Object.entries(cases).entries()) {
      await slicer.behave(behavior.replace('FIGURES', figures))
      const bytes = writeBinaryStl(createCube(20 + index / 8))
      const model = await sliced(app, staff, await add(app, staff, `${name}.stl`, bytes))
      expect([name, model.analysis_status, model.thumbnail_path === null]).toEqual([name, 'done', false])
      if (model.print_estimate?.source !== 'geometry') believed.push(name)
    }
    expect(await slicer.runs()).toHaveLength(Object.keys(cases).length)
    expect(believed).toEqual([])
  })

  it('a slicer that hangs or fills the disk is killed together with its children', async () => {
    const before = await leftovers()
    const hanging = `const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
appendFileSync(process.argv[1] + '.children', child.pid + '\\n')
setInterval(() => {}, 1000)`
    const filling = `const block = Buffer.alloc(4_000_000)
setInterval(() => appendFileSync(output, block), 20)`
    const slicer = await aSlicer(hanging)
    const app = await anApp(slicer.path)
    const staff = await app.as('staff')
    for (const [index, behavior] of [hanging, filling].entries()) {
      await slicer.behave(behavior)
      const bytes = writeBinaryStl(createCube(20 + index / 8))
      const model = await sliced(app, staff, await add(app, staff, 'a.stl', bytes))
      expect(model.print_estimate?.source).toBe('geometry')
    }
    for (const { pid } of await slicer.runs())
      await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
    const children = (await readFile(`${slicer.path}.children`, 'utf8')).trim().split('\n').map(Number)
    for (const pid of children) await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
    expect(await leftovers()).toEqual(before)
  }, 60_000)
})
