import { PRODUCT_NAME, PRODUCT_SUBTITLE } from '@pegasus/contracts/client-config'

/** Content of an email, in reading order. */
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

const toText = ({ title, paragraphs, button, code, footnote }: MailContent): string =>
  [
    title,
    ...paragraphs,
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...(code ? [`${codeSentence(button !== undefined)} ${code}`] : []),
    ...(footnote ? [footnote] : []),
    `-- \n${PRODUCT_NAME}\n${PRODUCT_SUBTITLE}`,
  ].join('\n\n')

const paragraph = (html: string, style = ''): string => `<p style="margin:0 0 16px;${style}">${html}</p>`

function toHtml({ title, paragraphs, button, code, footnote }: MailContent): string {
  const link = button && { url: escape(button.url), label: escape(button.label) }
  const body = [
    `<h1 style="margin:0 0 16px;font-size:20px">${escape(title)}</h1>`,
    ...paragraphs.map((text) => paragraph(escape(text))),
    ...(link
      ? [
          paragraph(
            `<a href="${link.url}" style="display:inline-block;padding:10px 20px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none">${link.label}</a>`,
          ),
          paragraph(`If the button does not work: <br>${link.url}`, 'font-size:13px;word-break:break-all'),
        ]
      : []),
    ...(code ? [paragraph(`${codeSentence(button !== undefined)} <strong>${escape(code)}</strong>`)] : []),
    ...(footnote ? [paragraph(escape(footnote), 'font-size:13px;color:#555555')] : []),
    `<p style="margin:24px 0 0;font-size:13px;color:#555555">${PRODUCT_NAME}<br>${PRODUCT_SUBTITLE}</p>`,
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#111111;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:560px">${body.join('\n')}</div>
</body></html>`
}

/** Renders an email as text and as HTML. All text is escaped, because people choose their names. */
export const renderMail = (content: MailContent): { text: string; html: string; links: string[] } => ({
  text: toText(content),
  html: toHtml(content),
  links: content.button ? [content.button.url] : [],
})
