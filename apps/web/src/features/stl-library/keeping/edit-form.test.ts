import { describe, expect, test } from 'vitest'
import { type EditForm, mergeForms, readEdit, wordsOf } from './edit-form.ts'

const BASE: EditForm = {
  title: 'Base',
  description: '',
  tags: ['arm'],
  license_type: 'Custom',
  attribution_url: '',
  sale_allowed: 'unsaid',
  sale_note: '',
  print_material: 'PETG',
  print_notes: '',
}

describe('an edit', () => {
  test('names what was touched and nothing else', () => {
    const form: EditForm = { ...BASE, title: ' Base 2 ', sale_allowed: 'allowed', print_material: '' }
    expect(readEdit(form, BASE)).toEqual({
      edit: { title: 'Base 2', sale_allowed: true, print_material: null },
      errors: null,
    })
    expect(readEdit(BASE, BASE).edit).toEqual({})
  })

  test('tells a fault beside its field', () => {
    const { errors } = readEdit({ ...BASE, title: ' ', attribution_url: 'javascript:alert(1)' }, BASE)
    expect(errors).toEqual({
      title: 'Title is required',
      attribution_url: 'Attribution URL must be a web address (http or https)',
    })
  })
})

describe('when somebody else was quicker', () => {
  const theirs: EditForm = { ...BASE, title: 'Base of the arm', tags: ['arm', 'so-101'] }

  test('what was typed stays, what was not is theirs', () => {
    const mine: EditForm = { ...BASE, print_notes: 'Four walls.' }
    const merge = mergeForms(BASE, mine, theirs)
    expect(merge.form).toEqual({ ...theirs, print_notes: 'Four walls.' })
    expect(merge.changed).toEqual(['title', 'tags'])
    expect(merge.conflicts).toEqual([])
    expect(readEdit(merge.form, theirs).edit).toEqual({ print_notes: 'Four walls.' })
  })

  test('a field that both changed is told', () => {
    const merge = mergeForms(BASE, { ...BASE, title: 'Foot' }, theirs)
    expect(merge.form.title).toBe('Foot')
    expect(merge.conflicts).toEqual(['title'])
    expect(wordsOf(theirs, 'tags')).toBe('arm, so-101')
  })

  test('what both changed alike is no conflict', () => {
    expect(mergeForms(BASE, { ...BASE, title: theirs.title }, theirs).conflicts).toEqual([])
  })
})
