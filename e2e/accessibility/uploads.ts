import { createGear } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import type { Page } from '@playwright/test'
import type { ArchiveEntry, ModelImport } from '@pegasus/contracts/stl-library/imports'
import { press, shows, showsAlert, showsWords, type Screen } from './screen.ts'

const LIBRARY = '/?tab=stl-library'
const DIALOG = `${LIBRARY}&upload=1`
const IMPORTS = '**/api/stl-imports*'
const REFUSAL = 'The file ends inside triangle 416.'

const entries = (statuses: readonly ArchiveEntry['status'][]): ArchiveEntry[] =>
  statuses.map((status, index) => ({
    index,
    name: index === 0 ? 'read me.txt' : `robot/part ${index}.stl`,
    size: 48_000 * (index + 1),
    format: index === 0 ? null : 'stl',
    status,
    stl_file_id: null,
    error: status === 'failed' ? REFUSAL : null,
  }))

const anImport = (number: number, part: Partial<ModelImport>): ModelImport => ({
  id: `019aa000-0000-7000-8000-00000000000${number}`,
  source: 'archive',
  status: 'choosing',
  url: null,
  file_name: 'robot-arm-with-a-rather-long-name_v11_final(3).zip',
  received_bytes: 4_000_000,
  total_bytes: 4_000_000,
  entries: null,
  stl_file_id: null,
  error: null,
  created_at: new Date().toISOString(),
  updated_at: new Date().toISOString(),
  expires_at: new Date(Date.now() + 60 * 60_000).toISOString(),
  ...part,
})

const OFFERED = anImport(1, { entries: entries(['offered', 'offered', 'offered', 'offered']) })
const HALF_DONE = anImport(2, {
  status: 'done',
  file_name: 'plates.zip',
  entries: entries(['skipped', 'done', 'failed', 'skipped']),
})
const GOING_ON = [
  anImport(3, {
    source: 'url',
    status: 'fetching',
    url: 'https://models.example.com/base.stl',
    file_name: null,
    received_bytes: 1_500_000,
    expires_at: null,
  }),
  anImport(4, {
    status: 'importing',
    file_name: 'gears.zip',
    entries: entries(['skipped', 'done', 'waiting', 'waiting']),
    expires_at: null,
  }),
  anImport(5, {
    source: 'url',
    status: 'failed',
    url: 'https://models.example.com/gone.stl',
    file_name: null,
    error:
      'Nothing could be fetched from this address. Please check it, or download the file and choose it here.',
    expires_at: null,
  }),
]

const withImports =
  (...imports: ModelImport[]) =>
  (page: Page) =>
    page.route(IMPORTS, (route) => route.fulfill({ json: imports }))

const file = (name: string, teeth: number) => ({
  name,
  mimeType: 'model/stl',
  buffer: Buffer.from(writeBinaryStl(createGear(teeth))),
})

const chooseFiles = async (page: Page, names: readonly string[]) => {
  await page
    .getByRole('dialog')
    .getByLabel('File')
    .setInputFiles(names.map((name, index) => file(name, 20 + index)))
}

export const UPLOAD_SCREENS: readonly Screen[] = [
  {
    name: 'Upload STL',
    as: 'staff',
    address: DIALOG,
    open: shows((page) => page.getByRole('dialog', { name: 'Upload STL' })),
  },
  {
    name: 'Upload STL, without a file',
    as: 'staff',
    address: DIALOG,
    open: async (page) => {
      await press(page, 'Upload')
      await showsAlert('Please select a file to upload.')(page)
    },
  },
  {
    name: 'Upload STL, several files',
    as: 'staff',
    address: DIALOG,
    open: async (page) => {
      await chooseFiles(page, [
        'base.stl',
        'قاعدة.stl',
        'terrain_mesa_with_interlocking_bridge_v11_final(3).stl',
      ])
      await showsWords('3 files')(page)
    },
  },
  {
    name: 'Upload STL, by address',
    as: 'staff',
    address: DIALOG,
    open: async (page) => {
      await page.getByLabel('From an address').check()
      await press(page, 'Upload')
      await showsAlert('Please enter a URL.')(page)
    },
  },
  {
    name: 'Uploads, refused and on their way',
    as: 'staff',
    address: DIALOG,
    prepare: async (page) => {
      await withImports(OFFERED, HALF_DONE, ...GOING_ON)(page)
      let count = 0
      await page.route('**/api/stl-files/upload', async (route) => {
        const turn = (count += 1)
        if (turn === 1) await route.fulfill({ status: 422, json: { detail: REFUSAL } })
        if (turn === 2) await route.abort()
      })
    },
    open: async (page) => {
      await chooseFiles(page, ['body.stl', 'lid.stl', 'base.stl', 'arm.stl', 'hand.stl'])
      await press(page, 'Upload')
      // The first two files are sent at the same time, so either of them may be refused.
      await shows((there) => there.getByRole('button', { name: /^Retry (body|lid)\.stl$/ }))(page)
      await shows((there) => there.getByLabel(/^Replace (body|lid)\.stl$/))(page)
    },
  },
  {
    name: 'Uploads, minimized',
    as: 'staff',
    address: LIBRARY,
    prepare: withImports(OFFERED),
    open: shows((page) => page.getByRole('button', { name: 'Show uploads' })),
  },
  {
    name: 'Choose from an archive',
    as: 'staff',
    address: LIBRARY,
    prepare: withImports(OFFERED),
    open: async (page) => {
      await press(page, 'Show uploads')
      await page.getByRole('button', { name: /^Choose files of/ }).click()
      await showsWords('3 of 3 models')(page)
    },
  },
  {
    name: 'Files of an archive',
    as: 'staff',
    address: LIBRARY,
    prepare: withImports(HALF_DONE),
    open: async (page) => {
      await press(page, 'Show uploads')
      await press(page, 'See which and why: plates.zip')
      await shows((there) => there.getByRole('button', { name: 'Try 1 failed file again' }))(page)
    },
  },
]
