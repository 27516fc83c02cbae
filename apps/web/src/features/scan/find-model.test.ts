import { describe, expect, it } from 'vitest'
import { findModel, searchTermOf } from './find-model.ts'

const model = (id: string, title: string, file_name = `${title}.stl`) => ({ id, title, file_name })
const page = (...items: ReturnType<typeof model>[]) => ({
  items,
  total: items.length,
  isTotalCapped: false,
  nextCursor: null,
})

describe('findModel', () => {
  it('findModel prefers the model with exactly the scanned title', () => {
    const found = findModel('idler', page(model('1', 'Idler riser'), model('2', 'Idler')))
    expect(found).toMatchObject({ id: '2' })
  })

  it('findModel accepts a file name with or without its extension', () => {
    const models = page(model('1', 'Arm', 'arm_v2.STL'), model('2', 'arm_v2 plate'))
    expect(findModel('arm_v2.stl', models)).toMatchObject({ id: '1' })
    expect(searchTermOf(' arm_v2.3MF ')).toBe('arm_v2')
  })

  it('findModel returns the match if there is only one', () => {
    expect(findModel('rise', page(model('1', 'Idler riser')))).toMatchObject({ id: '1' })
  })

  it('findModel explains why no model was found', () => {
    expect(findModel('x', page())).toBe(
      'No item, spool, order, job, printer, location or model has the code or name “x”.',
    )
    expect(findModel('a', page(model('1', 'ab'), model('2', 'ac')))).toBe(
      '2 models match “a”. Type the full title.',
    )
  })
})
