import { describe, expect, it } from 'vitest'
import { renderMail } from './layout.ts'

describe('renderMail', () => {
  it('renderMail writes the same content as text and as HTML, with the name Pegasus Ops at the top', () => {
    const { text, html, links } = renderMail(
      {
        subject: 'Hello',
        content: {
          title: 'Hello',
          paragraphs: ['One.', 'Two.'],
          button: { label: 'Go', url: 'https://ops.example.com/?a=1&b=2' },
          code: '12345678',
          footnote: 'Not you?',
        },
      },
      'en',
    )
    expect(text).toContain('Go:\nhttps://ops.example.com/?a=1&b=2')
    expect(html).toContain('href="https://ops.example.com/?a=1&amp;b=2"')
    expect(links).toEqual(['https://ops.example.com/?a=1&b=2'])
    for (const word of [
      'Hello',
      'One.',
      'Two.',
      '12345678',
      'Not you?',
      'Pegasus Ops',
      'Operations Management System',
    ])
      for (const form of [text, html]) expect(form).toContain(word)
  })

  it('renderMail writes an email in Hebrew from right to left, and its link from left to right', () => {
    const { subject, text, html } = renderMail(
      {
        subject: 'Your Pegasus Ops account has been approved',
        content: {
          title: 'Your account has been approved',
          paragraphs: ['You can sign in to Pegasus Ops now.'],
          button: { label: 'Sign in', url: 'https://ops.example.com/login' },
        },
      },
      'he',
    )
    expect(subject).toBe('החשבון שלך ב-Pegasus Ops אושר')
    expect(html).toContain('<html lang="he" dir="rtl">')
    expect(html).toContain('<span dir="ltr">https://ops.example.com/login</span>')
    for (const form of [text, html]) expect(form).toContain('כניסה')
    expect(text).toContain('כניסה:\nhttps://ops.example.com/login')
  })

  it('T72: renderMail escapes all text in the HTML', () => {
    const { html } = renderMail(
      {
        subject: '',
        content: { title: '<b>', paragraphs: ['<img src=x onerror="alert(1)">'], footnote: "'&'" },
      },
      'en',
    )
    expect(html).toContain('&lt;b&gt;')
    expect(html).not.toContain('<img')
    expect(html).toContain('&#39;&amp;&#39;')
  })
})
