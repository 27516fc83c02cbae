import { uploadStlFileFields } from '@pegasus/contracts/stl-upload'
import { describe, expect, test } from 'vitest'
import { EMPTY_UPLOAD_FORM, fileError, submitSignature, uploadFields } from './upload-form.ts'

const file = { name: 'Base.STL', size: 1000, lastModified: 1 }

describe('fields of the request', () => {
  test('the untouched form is what the contract takes for its defaults', () => {
    expect(uploadStlFileFields.parse(uploadFields(EMPTY_UPLOAD_FORM))).toEqual({
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

  test('tags are typed with commas and sent as a list, each once', () => {
    const { tags } = uploadFields({ ...EMPTY_UPLOAD_FORM, tags: 'Robot Arm,  so-101, robot arm,,' })
    expect(JSON.parse(tags as string)).toEqual(['robot arm', 'so-101'])
  })
})

describe('a retry', () => {
  test('is the same submit while nothing changed', () => {
    expect(submitSignature(EMPTY_UPLOAD_FORM, file)).toBe(submitSignature({ ...EMPTY_UPLOAD_FORM }, file))
  })

  test('is another submit once a field or the file changed', () => {
    const before = submitSignature(EMPTY_UPLOAD_FORM, file)
    expect(submitSignature({ ...EMPTY_UPLOAD_FORM, title: 'Base' }, file)).not.toBe(before)
    expect(submitSignature(EMPTY_UPLOAD_FORM, { ...file, size: 1001 })).not.toBe(before)
  })
})

describe('the chosen file', () => {
  test.each([
    ['none', null, null, 'Please select a file to upload.'],
    ['an STL in capitals', file, null, null],
    ['something else', { ...file, name: 'a.3mf' }, null, /is not an STL file/],
    ['one above the limit', { ...file, size: 3 * 1024 ** 3 }, 1024 ** 3, /larger than the 1 GB/],
  ])('%s', (_, chosen, limit, expected) => {
    const error = fileError(chosen, limit)
    if (expected === null) expect(error).toBeNull()
    else expect(error).toMatch(expected)
  })
})
