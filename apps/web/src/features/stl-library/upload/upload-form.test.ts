import { LICENSE_TYPES } from '@pegasus/contracts/stl-library/licenses'
import { uploadModelFields } from '@pegasus/contracts/stl-library/upload'
import { describe, expect, test } from 'vitest'
import {
  addFiles,
  EMPTY_UPLOAD_FORM,
  filesError,
  findProblems,
  LICENSE_HINTS,
  splitLastTag,
  submitSignature,
  uploadFields,
} from './upload-form.ts'

const file = { name: 'Base.STL', size: 1000, lastModified: 1 }
const GIB = 1024 ** 3

describe('fields of the upload request', () => {
  test('an unchanged upload form sends the default values of the API contract', () => {
    expect(uploadModelFields.parse(uploadFields(EMPTY_UPLOAD_FORM, 1))).toEqual({
      upload_method: 'file',
      url: null,
      title: null,
      description: null,
      license_type: 'Public Domain',
      attribution_url: null,
      tags: [],
      print_material: null,
      print_notes: null,
      use_ai: true,
    })
  })

  test('tags in the upload form are separated by commas and sent as a list without duplicates', () => {
    const { tags } = uploadFields({ ...EMPTY_UPLOAD_FORM, tags: 'Robot Arm,  so-101, robot arm,,' }, 1)
    expect(JSON.parse(tags as string)).toEqual(['robot arm', 'so-101'])
  })

  test('the upload form sends the title only if there is a single file', () => {
    const form = { ...EMPTY_UPLOAD_FORM, title: ' Base ' }
    expect([uploadFields(form, 1).title, uploadFields(form, 2).title]).toEqual(['Base', ''])
  })

  test('the upload form sends the URL only if the model is imported from a URL', () => {
    const form = { ...EMPTY_UPLOAD_FORM, url: ' https://models.example.com/a.stl ' }
    expect(uploadFields(form, 1)).not.toHaveProperty('url')
    expect(uploadFields({ ...form, upload_method: 'url' }, 0).url).toBe('https://models.example.com/a.stl')
  })

  test('the upload form reports values that the server would refuse, before anything is sent', () => {
    const problems = (part: object) => findProblems(uploadFields({ ...EMPTY_UPLOAD_FORM, ...part }, 1))
    expect(problems({})).toEqual([])
    expect(problems({ attribution_url: 'thingiverse' })).toEqual([
      { path: 'attribution_url', message: 'Attribution URL must be a web address (http or https)' },
    ])
    expect(problems({ attribution_url: 'https://ada:secret@example.com' })).toEqual([
      { path: 'attribution_url', message: 'The address must not contain a user name or a password' },
    ])
    expect(problems({ upload_method: 'url', url: 'ftp://nas/a.stl' })).toEqual([
      { path: 'url', message: 'URL must be a web address (http or https)' },
    ])
    expect(problems({ tags: 'x'.repeat(51) })).toHaveLength(1)
  })
})

describe('retries of an upload', () => {
  const fields = uploadFields(EMPTY_UPLOAD_FORM, 1)

  test('a retry of an upload is the same submission as long as nothing has changed', () => {
    expect(submitSignature(fields, file)).toBe(submitSignature({ ...fields }, { ...file }))
  })

  test('a retry of an upload is a new submission once a field or the file has changed', () => {
    const before = submitSignature(fields, file)
    expect(submitSignature({ ...fields, title: 'Base' }, file)).not.toBe(before)
    expect(submitSignature(fields, { ...file, size: 1001 })).not.toBe(before)
    expect(submitSignature(fields, null)).not.toBe(before)
  })
})

describe('the files chosen for an upload', () => {
  const large = { ...file, size: 3 * GIB }
  test.each([
    ['are refused if there are none', [], null, 'Please select a file to upload.'],
    ['may have a name in capitals', [file], null, null],
    ['may have a name without an extension', [{ ...file, name: 'part' }], GIB, null],
    [
      'are refused if one is above the limit',
      [file, large],
      GIB,
      '“Base.STL” is larger than the upload limit of 1 GB.',
    ],
    [
      'are refused if two are above the limit',
      [large, large],
      GIB,
      '2 files are larger than the upload limit of 1 GB.',
    ],
  ])('the files chosen for an upload %s', (_, files, limit, expected) => {
    expect(filesError(files, limit)).toBe(expected)
  })

  test('a file that is chosen twice for an upload is listed once', () => {
    const other = { ...file, name: 'Arm.stl' }
    expect(addFiles([file], [other, { ...file }])).toEqual([file, other])
  })
})

test('the hint of every license ends with a period', () => {
  for (const license of LICENSE_TYPES) expect(LICENSE_HINTS[license]).toMatch(/\.$/)
})

test('splitLastTag returns the last tag in the text as the tag that is being typed', () => {
  expect(splitLastTag('')).toEqual({ former: '', typed: '' })
  expect(splitLastTag('robo')).toEqual({ former: '', typed: 'robo' })
  expect(splitLastTag('gears, so-101;  robo ')).toEqual({ former: 'gears, so-101;  ', typed: 'robo' })
  expect(splitLastTag('gears, ')).toEqual({ former: 'gears, ', typed: '' })
})
