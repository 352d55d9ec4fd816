import { expect } from 'chai';
import { eventMessage, openEventStream } from '#src/server/live/event-stream.js';
import { eventually } from '#test/support/eventually.js';

describe('eventMessage', () => {
  it('sends each line as a data line, so that text cannot become a field', () => {
    expect(eventMessage('<p>\nid: 7\r\nretry: 1</p>').toString()).to.equal(
      'data: <p>\ndata: id: 7\ndata: retry: 1</p>\n\n',
    );
    expect(eventMessage('{}', 'log').toString()).to.equal('event: log\ndata: {}\n\n');
  });
});

describe('event stream', () => {
  it('delivers the messages, then ends', async () => {
    let ended = 0;
    const stream = openEventStream(() => ended++);
    stream.send(Buffer.from('one '));
    stream.ping();
    stream.end();
    stream.send(Buffer.from('too late'));
    let text = '';
    for await (const part of stream.body) text += String(part);
    expect(text).to.equal('one : still here\n\n');
    await eventually(() => ended === 1 || undefined);
  });

  it('disconnects a client that does not read', async () => {
    let ended = 0;
    const stream = openEventStream(() => ended++);
    const message = Buffer.alloc(100_000);
    for (let sent = 0; sent < 40; sent++) stream.send(message);
    expect(stream.body.destroyed).to.equal(false);
    for (let sent = 0; sent < 3; sent++) stream.send(message);
    expect(stream.body.destroyed).to.equal(true);
    await eventually(() => ended === 1 || undefined);
  });
});
