import { describe, expect, test } from 'vitest'
import { mergeForms } from '@/lib/forms/form-merge.ts'
import { type EditForm, readEdit, tagsOf, textOfTags, describeValue } from './edit-model-form.ts'

const BASE: EditForm = {
  title: 'Base',
  description: '',
  tags: 'arm',
  license_type: 'Custom',
  attribution_url: '',
  sale_allowed: 'unsaid',
  sale_note: '',
  print_material: 'PETG',
  print_notes: '',
}

describe('an edit of a model', () => {
  test('an edit of a model contains only the changed fields', () => {
    const form: EditForm = { ...BASE, title: ' Base 2 ', sale_allowed: 'allowed', print_material: '' }
    expect(readEdit(form, ['title', 'sale_allowed', 'print_material'])).toEqual({
      body: { title: 'Base 2', sale_allowed: true, print_material: null },
      errors: null,
    })
    expect(readEdit(BASE, []).body).toEqual({})
  })

  test('an edit of a model shows an error next to its field', () => {
    const form = { ...BASE, title: ' ', attribution_url: 'javascript:alert(1)' }
    expect(readEdit(form, ['title', 'attribution_url']).errors).toEqual({
      title: 'Title is required',
      attribution_url: 'Attribution URL must be a web address (http or https)',
    })
  })

  test('an edit of a model keeps commas inside tags, and can remove all tags', () => {
    const tags = ['arm', 'left, upper']
    expect(tagsOf(textOfTags(tags))).toEqual(tags)
    expect(readEdit({ ...BASE, tags: textOfTags(tags) }, ['tags']).body).toEqual({ tags })
    expect(readEdit({ ...BASE, tags: textOfTags([]) }, ['tags']).body).toEqual({ tags: [] })
  })
})

describe("an edit of a model that conflicts with another person's save", () => {
  test('the model form keeps typed values if somebody else saves the model, updates other fields, and sends only typed values', () => {
    const theirs: EditForm = { ...BASE, title: 'Base of the arm', tags: textOfTags(['arm', 'so-101']) }
    const merge = mergeForms(BASE, { ...BASE, print_notes: 'Four walls.' }, theirs)
    expect(merge.changed).toEqual(['title', 'tags'])
    expect(readEdit(merge.form, ['print_notes']).body).toEqual({ print_notes: 'Four walls.' })
    expect(describeValue('tags', theirs.tags)).toBe('arm, so-101')
    expect(describeValue('sale_allowed', theirs.sale_allowed)).toBe('not decided')
  })
})
