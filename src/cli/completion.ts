/** Scripts that complete `photon` in a shell, made from the descriptions of its commands. Pure. */
import { PhotonError } from '../base/codes.ts';
import { type Command, inputOptions } from './command.ts';

const shells: Readonly<Record<string, (commands: Commands) => string>> = {
  bash: bashScript,
  zsh: commands => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`,
  fish: fishScript,
};

type Commands = Readonly<Record<string, Command>>;

/** The script for a shell. @throws PhotonError `USAGE` for another one. */
export function renderCompletion(shell: string, commands: Commands): string {
  const render = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  if (render !== undefined) return render(commands);
  throw new PhotonError('USAGE', 'Name the shell: bash, zsh or fish.', {
    hint: 'For bash, add this to ~/.bashrc: eval "$(photon completion bash)"',
  });
}

/** The verbs of a command, and its options without dashes. */
function listWords({ usage, options, settings }: Command) {
  const verbs = usage.flatMap(([form]) => /^[a-z]+/.exec(form)?.[0] ?? []);
  const taken = settings === undefined ? {} : inputOptions(settings);
  return { verbs: [...new Set(verbs)], flags: Object.keys({ ...taken, ...options }) };
}

function bashScript(commands: Commands): string {
  const cases = Object.entries(commands).map(([name, command]) => {
    const { verbs, flags } = listWords(command);
    return `    ${name}) words='${[...verbs, ...flags.map(flag => `--${flag}`)].join(' ')}' ;;`;
  });
  return `_photon() {
  local words=''
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words='${Object.keys(commands).join(' ')} help version'; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _photon photon
`;
}

function fishScript(commands: Commands): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const lines = Object.entries(commands).flatMap(([name, command]) => {
    const { verbs, flags } = listWords(command);
    const inside = `complete -c photon -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c photon -n __fish_use_subcommand -a ${name} -d ${quoted(command.about)}`,
      ...verbs.map(verb => `${inside} -a ${verb}`),
      ...flags.map(flag => `${inside} -l ${flag}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}
