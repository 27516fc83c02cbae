import { AskForLinkForm } from './ask-for-link-form.tsx'
import { LinkRefused } from './link-refused.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

interface AskForLinkAgainProps {
  link: 'password' | 'confirmation'
  title: string
  /** Why the link was refused; null if there was none. */
  sentence: string | null
}

/** The screen of a link that does not work: it mails a new one. */
export const AskForLinkAgain = ({ link, title, sentence }: AskForLinkAgainProps) => (
  <SignInFrame otherWay={{ path: '/login', label: 'Back to sign in' }}>
    <AskForLinkForm
      link={link}
      title={title}
      notice={sentence ? <LinkRefused sentence={sentence} /> : null}
    />
  </SignInFrame>
)
