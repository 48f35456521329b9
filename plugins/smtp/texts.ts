/** Texts of the mails in each language of the web app. */
import ar from './locales/ar.json' with { type: 'json' }
import bg from './locales/bg.json' with { type: 'json' }
import bn from './locales/bn.json' with { type: 'json' }
import ca from './locales/ca.json' with { type: 'json' }
import cs from './locales/cs.json' with { type: 'json' }
import da from './locales/da.json' with { type: 'json' }
import de from './locales/de.json' with { type: 'json' }
import el from './locales/el.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import fa from './locales/fa.json' with { type: 'json' }
import fi from './locales/fi.json' with { type: 'json' }
import fr from './locales/fr.json' with { type: 'json' }
import he from './locales/he.json' with { type: 'json' }
import hi from './locales/hi.json' with { type: 'json' }
import hu from './locales/hu.json' with { type: 'json' }
import id from './locales/id.json' with { type: 'json' }
import it from './locales/it.json' with { type: 'json' }
import ja from './locales/ja.json' with { type: 'json' }
import ko from './locales/ko.json' with { type: 'json' }
import ms from './locales/ms.json' with { type: 'json' }
import nb from './locales/nb.json' with { type: 'json' }
import nl from './locales/nl.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import ptBR from './locales/pt-BR.json' with { type: 'json' }
import ptPT from './locales/pt-PT.json' with { type: 'json' }
import ro from './locales/ro.json' with { type: 'json' }
import ru from './locales/ru.json' with { type: 'json' }
import sk from './locales/sk.json' with { type: 'json' }
import sl from './locales/sl.json' with { type: 'json' }
import sv from './locales/sv.json' with { type: 'json' }
import sw from './locales/sw.json' with { type: 'json' }
import ta from './locales/ta.json' with { type: 'json' }
import th from './locales/th.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }
import uk from './locales/uk.json' with { type: 'json' }
import ur from './locales/ur.json' with { type: 'json' }
import vi from './locales/vi.json' with { type: 'json' }
import zhCN from './locales/zh-CN.json' with { type: 'json' }
import zhTW from './locales/zh-TW.json' with { type: 'json' }

export type Texts = typeof en

/** By the tag of the language. */
export const TEXTS: Record<string, Texts> & { en: Texts } = {
  ar,
  bg,
  bn,
  ca,
  cs,
  da,
  de,
  el,
  en,
  es,
  fa,
  fi,
  fr,
  he,
  hi,
  hu,
  id,
  it,
  ja,
  ko,
  ms,
  nb,
  nl,
  pl,
  'pt-BR': ptBR,
  'pt-PT': ptPT,
  ro,
  ru,
  sk,
  sl,
  sv,
  sw,
  ta,
  th,
  tr,
  uk,
  ur,
  vi,
  'zh-CN': zhCN,
  'zh-TW': zhTW,
}
