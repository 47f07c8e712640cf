.class public final Ltruthtrace/T;
.super Ljava/lang/Object;


# annotations
.annotation system Ldalvik/annotation/MemberClasses;
    value = {
        Ltruthtrace/T$Log;
    }
.end annotation


# static fields
.field private static final CHUNK:I = 0x10000

.field private static final CHUNKS:Ljava/util/concurrent/atomic/AtomicInteger;

.field private static final HEADER:I = 0x100

.field private static final MINE:Ljava/lang/ThreadLocal;
    .annotation system Ldalvik/annotation/Signature;
        value = {
            "Ljava/lang/ThreadLocal<",
            "Ltruthtrace/T$Log;",
            ">;"
        }
    .end annotation
.end field

.field private static final THREADS:Ljava/util/concurrent/atomic/AtomicInteger;

.field private static file:Ljava/nio/channels/FileChannel;


# direct methods
.method static constructor <clinit>()V
    .registers 2

    new-instance v0, Ljava/util/concurrent/atomic/AtomicInteger;

    invoke-direct {v0}, Ljava/util/concurrent/atomic/AtomicInteger;-><init>()V

    sput-object v0, Ltruthtrace/T;->THREADS:Ljava/util/concurrent/atomic/AtomicInteger;

    new-instance v0, Ljava/util/concurrent/atomic/AtomicInteger;

    invoke-direct {v0}, Ljava/util/concurrent/atomic/AtomicInteger;-><init>()V

    sput-object v0, Ltruthtrace/T;->CHUNKS:Ljava/util/concurrent/atomic/AtomicInteger;

    new-instance v0, Ljava/lang/ThreadLocal;

    invoke-direct {v0}, Ljava/lang/ThreadLocal;-><init>()V

    sput-object v0, Ltruthtrace/T;->MINE:Ljava/lang/ThreadLocal;

    :try_start_15
    invoke-static {}, Ltruthtrace/T;->open()Ljava/nio/channels/FileChannel;

    move-result-object v0

    sput-object v0, Ltruthtrace/T;->file:Ljava/nio/channels/FileChannel;
    :try_end_1b
    .catch Ljava/io/IOException; {:try_start_15 .. :try_end_1b} :catch_1c

    return-void

    :catch_1c
    move-exception v0

    new-instance v1, Ljava/lang/RuntimeException;

    invoke-direct {v1, v0}, Ljava/lang/RuntimeException;-><init>(Ljava/lang/Throwable;)V

    throw v1
.end method

.method private constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

.method private static declared-synchronized map()Ljava/nio/MappedByteBuffer;
    .registers 11
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/io/IOException;
        }
    .end annotation

    const-class v0, Ltruthtrace/T;

    monitor-enter v0

    :try_start_3
    sget-object v1, Ltruthtrace/T;->CHUNKS:Ljava/util/concurrent/atomic/AtomicInteger;

    invoke-virtual {v1}, Ljava/util/concurrent/atomic/AtomicInteger;->getAndIncrement()I

    move-result v1
    :try_end_9
    .catchall {:try_start_3 .. :try_end_9} :catchall_3e

    int-to-long v1, v1

    const-wide/32 v3, 0x10000

    mul-long v1, v1, v3

    const/4 v3, 0x0

    :goto_10
    :try_start_10
    invoke-static {}, Ljava/lang/Thread;->interrupted()Z

    move-result v4
    :try_end_14
    .catchall {:try_start_10 .. :try_end_14} :catchall_33

    or-int/2addr v3, v4

    :try_start_15
    sget-object v5, Ltruthtrace/T;->file:Ljava/nio/channels/FileChannel;

    sget-object v6, Ljava/nio/channels/FileChannel$MapMode;->READ_WRITE:Ljava/nio/channels/FileChannel$MapMode;

    const-wide/32 v9, 0x10000

    move-wide v7, v1

    invoke-virtual/range {v5 .. v10}, Ljava/nio/channels/FileChannel;->map(Ljava/nio/channels/FileChannel$MapMode;JJ)Ljava/nio/MappedByteBuffer;

    move-result-object v1
    :try_end_21
    .catch Ljava/nio/channels/ClosedChannelException; {:try_start_15 .. :try_end_21} :catch_2c
    .catchall {:try_start_15 .. :try_end_21} :catchall_33

    if-eqz v3, :cond_2a

    :try_start_23
    invoke-static {}, Ljava/lang/Thread;->currentThread()Ljava/lang/Thread;

    move-result-object v2

    invoke-virtual {v2}, Ljava/lang/Thread;->interrupt()V
    :try_end_2a
    .catchall {:try_start_23 .. :try_end_2a} :catchall_3e

    :cond_2a
    monitor-exit v0

    return-object v1

    :catch_2c
    :try_start_2c
    invoke-static {}, Ltruthtrace/T;->open()Ljava/nio/channels/FileChannel;

    move-result-object v4

    sput-object v4, Ltruthtrace/T;->file:Ljava/nio/channels/FileChannel;
    :try_end_32
    .catchall {:try_start_2c .. :try_end_32} :catchall_33

    goto :goto_10

    :catchall_33
    move-exception v1

    if-eqz v3, :cond_3d

    :try_start_36
    invoke-static {}, Ljava/lang/Thread;->currentThread()Ljava/lang/Thread;

    move-result-object v2

    invoke-virtual {v2}, Ljava/lang/Thread;->interrupt()V

    :cond_3d
    throw v1
    :try_end_3e
    .catchall {:try_start_36 .. :try_end_3e} :catchall_3e

    :catchall_3e
    move-exception v1

    monitor-exit v0

    throw v1
.end method

.method private static more(Ltruthtrace/T$Log;)V
    .registers 8

    :try_start_0
    iget v0, p0, Ltruthtrace/T$Log;->number:I

    if-nez v0, :cond_c

    sget-object v0, Ltruthtrace/T;->THREADS:Ljava/util/concurrent/atomic/AtomicInteger;

    invoke-virtual {v0}, Ljava/util/concurrent/atomic/AtomicInteger;->incrementAndGet()I

    move-result v0

    iput v0, p0, Ltruthtrace/T$Log;->number:I

    :cond_c
    invoke-static {}, Ltruthtrace/T;->map()Ljava/nio/MappedByteBuffer;

    move-result-object v0

    invoke-static {}, Ljava/lang/Thread;->currentThread()Ljava/lang/Thread;

    move-result-object v1

    invoke-virtual {v1}, Ljava/lang/Thread;->getName()Ljava/lang/String;

    move-result-object v1

    invoke-virtual {v1}, Ljava/lang/String;->length()I

    move-result v2

    const/16 v3, 0x7c

    invoke-static {v2, v3}, Ljava/lang/Math;->min(II)I

    move-result v2

    const/4 v3, 0x0

    const/4 v4, 0x0

    :goto_24
    if-ge v4, v2, :cond_34

    mul-int/lit8 v5, v4, 0x2

    add-int/lit8 v5, v5, 0x8

    invoke-virtual {v1, v4}, Ljava/lang/String;->charAt(I)C

    move-result v6

    invoke-virtual {v0, v5, v6}, Ljava/nio/MappedByteBuffer;->putChar(IC)Ljava/nio/ByteBuffer;

    add-int/lit8 v4, v4, 0x1

    goto :goto_24

    :cond_34
    const/4 v1, 0x4

    invoke-virtual {v0, v1, v2}, Ljava/nio/MappedByteBuffer;->putInt(II)Ljava/nio/ByteBuffer;

    iget v1, p0, Ltruthtrace/T$Log;->number:I

    invoke-virtual {v0, v3, v1}, Ljava/nio/MappedByteBuffer;->putInt(II)Ljava/nio/ByteBuffer;

    iput-object v0, p0, Ltruthtrace/T$Log;->out:Ljava/nio/MappedByteBuffer;

    const/16 v0, 0x100

    iput v0, p0, Ltruthtrace/T$Log;->at:I
    :try_end_43
    .catch Ljava/io/IOException; {:try_start_0 .. :try_end_43} :catch_44

    return-void

    :catch_44
    move-exception p0

    new-instance v0, Ljava/lang/RuntimeException;

    invoke-direct {v0, p0}, Ljava/lang/RuntimeException;-><init>(Ljava/lang/Throwable;)V

    throw v0
.end method

.method private static open()Ljava/nio/channels/FileChannel;
    .registers 3
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/io/IOException;
        }
    .end annotation

    new-instance v0, Ljava/io/RandomAccessFile;

    const-string v1, "truth.out"

    const-string v2, "truth.bin"

    invoke-static {v1, v2}, Ljava/lang/System;->getProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;

    move-result-object v1

    const-string v2, "rw"

    invoke-direct {v0, v1, v2}, Ljava/io/RandomAccessFile;-><init>(Ljava/lang/String;Ljava/lang/String;)V

    invoke-virtual {v0}, Ljava/io/RandomAccessFile;->getChannel()Ljava/nio/channels/FileChannel;

    move-result-object v0

    return-object v0
.end method

.method public static p(I)V
    .registers 4

    sget-object v0, Ltruthtrace/T;->MINE:Ljava/lang/ThreadLocal;

    invoke-virtual {v0}, Ljava/lang/ThreadLocal;->get()Ljava/lang/Object;

    move-result-object v1

    check-cast v1, Ltruthtrace/T$Log;

    if-nez v1, :cond_12

    new-instance v1, Ltruthtrace/T$Log;

    invoke-direct {v1}, Ltruthtrace/T$Log;-><init>()V

    invoke-virtual {v0, v1}, Ljava/lang/ThreadLocal;->set(Ljava/lang/Object;)V

    :cond_12
    iget v0, v1, Ltruthtrace/T$Log;->at:I

    const/high16 v2, 0x10000

    if-ne v0, v2, :cond_1b

    invoke-static {v1}, Ltruthtrace/T;->more(Ltruthtrace/T$Log;)V

    :cond_1b
    iget-object v0, v1, Ltruthtrace/T$Log;->out:Ljava/nio/MappedByteBuffer;

    iget v2, v1, Ltruthtrace/T$Log;->at:I

    add-int/lit8 p0, p0, 0x1

    invoke-virtual {v0, v2, p0}, Ljava/nio/MappedByteBuffer;->putInt(II)Ljava/nio/ByteBuffer;

    iget p0, v1, Ltruthtrace/T$Log;->at:I

    add-int/lit8 p0, p0, 0x4

    iput p0, v1, Ltruthtrace/T$Log;->at:I

    return-void
.end method
