import { PRODUCT_NAME, PRODUCT_SUBTITLE } from '@pegasus/contracts/client-config'
import { type Language, LANGUAGES } from '@pegasus/contracts/texts/languages'
import { type Translate, translatorTo } from '../server-texts.ts'

/** Content of an email in English, in reading order. */
export interface MailContent {
  title: string
  paragraphs: readonly string[]
  button?: { label: string; url: string }
  /** A code to type if the link cannot be opened. */
  code?: string
  /** Advice for a recipient who did not request the email. */
  footnote?: string
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const codeSentence = (hasButton: boolean): string => (hasButton ? 'Or enter this code:' : 'Enter this code:')

const toText = ({ title, paragraphs, button, code, footnote }: MailContent, translate: Translate): string =>
  [
    title,
    ...paragraphs,
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...(code ? [`${translate(codeSentence(button !== undefined))} ${code}`] : []),
    ...(footnote ? [footnote] : []),
    `-- \n${PRODUCT_NAME}\n${translate(PRODUCT_SUBTITLE)}`,
  ].join('\n\n')

const paragraph = (html: string, style = ''): string => `<p style="margin:0 0 16px;${style}">${html}</p>`

function toHtml(
  { title, paragraphs, button, code, footnote }: MailContent,
  language: Language,
  translate: Translate,
): string {
  const { direction } = LANGUAGES[language]
  const link = button && { url: escape(button.url), label: escape(button.label) }
  const body = [
    `<h1 style="margin:0 0 16px;font-size:20px">${escape(title)}</h1>`,
    ...paragraphs.map((text) => paragraph(escape(text))),
    ...(link
      ? [
          paragraph(
            `<a href="${link.url}" style="display:inline-block;padding:10px 20px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none">${link.label}</a>`,
          ),
          paragraph(
            `${escape(translate('If the button does not work:'))} <br><span dir="ltr">${link.url}</span>`,
            'font-size:13px;word-break:break-all',
          ),
        ]
      : []),
    ...(code
      ? [
          paragraph(
            `${escape(translate(codeSentence(button !== undefined)))} <strong dir="ltr">${escape(code)}</strong>`,
          ),
        ]
      : []),
    ...(footnote ? [paragraph(escape(footnote), 'font-size:13px;color:#555555')] : []),
    `<p style="margin:24px 0 0;font-size:13px;color:#555555">${PRODUCT_NAME}<br>${escape(translate(PRODUCT_SUBTITLE))}</p>`,
  ]
  return `<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><title>${escape(title)}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#111111;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:560px">${body.join('\n')}</div>
</body></html>`
}

const translated = (
  { title, paragraphs, button, code, footnote }: MailContent,
  translate: Translate,
): MailContent => ({
  title: translate(title),
  paragraphs: paragraphs.map(translate),
  ...(button && { button: { label: translate(button.label), url: button.url } }),
  ...(code !== undefined && { code }),
  ...(footnote !== undefined && { footnote: translate(footnote) }),
})

/**
 * Renders an email as text and as HTML, in the language of its recipient. All text is escaped, because people choose
 * their names.
 */
export function renderMail(
  { subject, content }: { subject: string; content: MailContent },
  language: Language,
): { subject: string; text: string; html: string; links: string[] } {
  const translate = translatorTo(language)
  return renderTranslatedMail(
    { subject: translate(subject), content: translated(content, translate) },
    language,
  )
}

/** Like `renderMail`, for an email whose subject and content are in the language of its recipient already. */
export function renderTranslatedMail(
  { subject, content }: { subject: string; content: MailContent },
  language: Language,
): { subject: string; text: string; html: string; links: string[] } {
  const translate = translatorTo(language)
  return {
    subject,
    text: toText(content, translate),
    html: toHtml(content, language, translate),
    links: content.button ? [content.button.url] : [],
  }
}
