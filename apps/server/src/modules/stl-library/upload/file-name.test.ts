import { TITLE_MAX_LENGTH } from '@pegasus/contracts/stl-library/models'
import { describe, expect, it } from 'vitest'
import {
  displayFileName,
  displayPath,
  downloadFileName,
  formFileName,
  titleFromFileName,
} from './file-name.ts'

const named = (contentDisposition: string | undefined, path = '/download') =>
  downloadFileName({ url: new URL(`https://files.example.com${path}`), contentDisposition })

describe('the name of a fetched file', () => {
  const asHeader = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

  it.each([
    [asHeader('attachment; filename="Würfel 立方体.stl"'), 'Würfel 立方体.stl'],
    [Buffer.from('attachment; filename="W\xfcrfel.stl"', 'latin1').toString('latin1'), 'Würfel.stl'],
    ['attachment; filename="x"; filename*=UTF-8\'\'W%C3%BCrfel.stl', 'Würfel.stl'],
    [asHeader('attachment; filename="a\u202Elts.exe"'), 'alts.exe'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    [undefined, 'download'],
  ])('the name of a fetched file with the header %j is %s', (header, name) => {
    expect(named(header)).toBe(name)
  })
})

describe('file names of uploads and archive entries', () => {
  it.each([
    ['2%22 pipe clamp.stl', '2" pipe clamp.stl'],
    ['two%0D%0Alines.stl', 'two  lines.stl'],
    ['100% infill %20 test.stl', '100% infill %20 test.stl'],
  ])('a file name in a form is unescaped according to how the browser escaped it: %j', (carried, name) => {
    expect(displayFileName(formFileName(carried))).toBe(name)
  })

  it('names of archive entries cannot reverse the reading order', () => {
    expect(displayPath('set/\u202Elts.exe')).toBe('set/lts.exe')
  })

  it('a title from a long file name is cut to the longest allowed length, but never inside a character', () => {
    const title = titleFromFileName(`${'🧊'.repeat(150)}.stl`)
    expect(title.length).toBeLessThanOrEqual(TITLE_MAX_LENGTH)
    expect(titleFromFileName(`a${'🧊'.repeat(150)}.stl`).isWellFormed()).toBe(true)
    expect(titleFromFileName(`a${'🧊'.repeat(150)}.stl`)).not.toContain('\ufffd')
  })
})
