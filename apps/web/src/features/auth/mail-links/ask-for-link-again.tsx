import { AskForLinkForm } from './ask-for-link-form.tsx'
import { SignInFrame } from '../sign-in-frame.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'

interface AskForLinkAgainProps {
  link: 'password' | 'confirmation'
  title: string
  /** Why the link was refused; null if there was no link. */
  sentence: string | null
}

/** The screen for a link that does not work. It sends a new link by mail. */
export const AskForLinkAgain = ({ link, title, sentence }: AskForLinkAgainProps) => (
  <SignInFrame otherWay={{ path: '/login', label: 'Back to sign in' }}>
    <AskForLinkForm
      link={link}
      title={title}
      notice={sentence ? <LinkRefused sentence={sentence} /> : null}
    />
  </SignInFrame>
)

/** Says why the link of a mail did nothing. The form below requests another link. */
const LinkRefused = ({ sentence }: { sentence: string }) => (
  <AlertBox title={sentence}>Each link works once, and only for a while. Request a new one below.</AlertBox>
)
