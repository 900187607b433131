import { describe, expect, it } from 'vitest';
import { addComment, comment, permit, stranger, writer } from '../doubles/events.ts';
import type { GitHubDouble } from '../doubles/github.ts';
import type { Person } from '../doubles/github-routes.ts';
import { jpeg, png } from '../doubles/images.ts';
import type { Script } from '../doubles/model.ts';
import { repairScript, sampleTask } from '../doubles/sample.ts';
import { serve } from '../doubles/serve.ts';
import { isXml } from '../harness.ts';
import { playsVariants, sample } from '../seed.ts';
import { type Played, play, type Scenario } from './scenario.ts';

const ids = {
  png: '11111111-1111-4111-8111-111111111111',
  jpeg: '22222222-2222-4222-8222-222222222222',
  away: '33333333-3333-4333-8333-333333333333',
  text: '44444444-4444-4444-8444-444444444444',
} as const;

interface Images {
  /** Text of the issue; `URL/` stands for the address of the server's attachments. */
  readonly body: string;
  readonly commentBody?: string;
  readonly commentBy?: Person;
  /** Where the signed address of `away` leads. */
  readonly away?: string;
}

/** A command on an issue whose texts embed images; the server is the double itself. */
function withImages(images: Images, more: Partial<Scenario> = {}): Scenario {
  const env = { GITHUB_SERVER_URL: '' };
  const event = comment();
  const arrange = (github: GitHubDouble) => {
    permit(github);
    env.GITHUB_SERVER_URL = github.url;
    const inPlace = (text: string) =>
      text.replaceAll('URL/', `${github.url}/user-attachments/assets/`);
    const body = inPlace(images.body);
    Object.assign(event.payload.issue, { body });
    const { surface } = github.state;
    surface.issues.set(5, { body });
    if (images.commentBody !== undefined)
      addComment(github.state, {
        id: 1,
        body: inPlace(images.commentBody),
        user: images.commentBy ?? writer,
        createdAt: '2026-02-01T11:00:00Z',
      });
    surface.attachments.set(ids.png, { bytes: png() });
    surface.attachments.set(ids.jpeg, { bytes: jpeg() });
    surface.attachments.set(ids.text, { bytes: Buffer.from('%PDF-1.7') });
    if (images.away !== undefined)
      surface.attachments.set(ids.away, { bytes: png(), location: images.away });
  };
  return {
    script: repairScript,
    task: '',
    event,
    arrange,
    env,
    ...more,
    inputs: { model: 'gpt-5', ...more.inputs },
  };
}

/** The images of a request, as the bytes in their addresses. */
function sentImages({ model }: Played, request = 0): readonly string[] {
  const parts = model.requests[request]?.body.messages.flatMap(m =>
    Array.isArray(m.content) ? (m.content as { image_url?: { url: string } }[]) : [],
  );
  return (parts ?? []).flatMap(p => p.image_url?.url ?? []);
}

const dataOf = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;

describe('images of a conversation', () => {
  it('go to a model that sees, as they are, and no token goes to their hosts', async () => {
    const body = `It is ten times too much.\n![the bill](URL/${ids.png}) ![note](URL/${ids.text})`;
    const commentBody = `See ![this](URL/${ids.jpeg}) and ![that](https://example.com/${ids.png}.png)`;
    await play(withImages({ body, commentBody }), played => {
      expect(played.outcome.status, played.outcome.message).toBe('committed');
      const expected = [dataOf('image/png', png()), dataOf('image/jpeg', jpeg())];
      expect(sentImages(played)).toEqual(expected);
      if (!isXml) expect(sentImages(played, 2)).toEqual(expected);
      const fetched = played.github.seen.filter(s => s.path.startsWith('/storage/'));
      expect(fetched).toHaveLength(3);
      for (const { headers } of fetched) expect(headers.authorization).toBeUndefined();
      expect(played.log).toContain('it is no PNG or JPEG');
    });
  });

  it('of a stranger are not fetched', async () => {
    const commentBody = `![this](URL/${ids.jpeg})`;
    await play(withImages({ body: 'Wrong.', commentBody, commentBy: stranger }), played => {
      expect(sentImages(played)).toEqual([]);
      expect(played.github.seen.filter(s => s.path.startsWith('/storage/'))).toEqual([]);
    });
  });

  it
    .runIf(playsVariants)
    .each(
      sample(
        'settings without images',
        [['auto', 'double'] as const, ['off', 'gpt-5'] as const],
        1,
      ),
    )('with images: %s are not fetched for the model %s', async (images, model) => {
    const body = `![the bill](URL/${ids.png})`;
    await play(
      withImages({ body }, { config: { model: { images } }, inputs: { model } }),
      played => {
        expect(played.outcome.status, played.outcome.message).toBe('committed');
        expect(sentImages(played)).toEqual([]);
        expect(played.github.seen.filter(s => s.path.startsWith('/storage/'))).toEqual([]);
      },
    );
  });

  it('give way to text when the endpoint refuses one, once and for all requests', async () => {
    const refusal = { error: { message: 'No endpoints found that support image input' } };
    let [refused, next] = [0, 0];
    const script: Script = body => {
      if (JSON.stringify(body.messages).includes('image_url')) {
        refused += 1;
        return { status: 404, body: refusal };
      }
      return repairScript[next++] ?? { status: 400 };
    };
    const body = `![the bill](URL/${ids.png})`;
    const more = { script, config: { model: { images: 'on' } } } as const;
    await play(withImages({ body }, more), played => {
      expect(played.outcome.status, played.outcome.message).toBe('committed');
      expect(refused).toBe(1);
      expect(played.outcome.notes).toContain('Model endpoint: it takes no images.');
      expect(JSON.stringify(played.model.requests[1]?.body)).toContain(
        '1 images of the texts above are not shown',
      );
    });
  });

  it('are not followed to another host', async () => {
    let asked = 0;
    const other = await serve((_request, response) => {
      asked += 1;
      response.end(png());
    });
    const away = `${other.url}/storage/user/1/files/${ids.away}`;
    try {
      await play(withImages({ body: `${sampleTask} ![x](URL/${ids.away})`, away }), played => {
        expect(sentImages(played)).toEqual([]);
        expect(played.log).toContain('it leads to another host');
        expect(asked).toBe(0);
      });
    } finally {
      await other.close();
    }
  });
});
