.class public final Ltruthtrace/T;
.super Ljava/lang/Object;
.source "T.java"

# annotations
.annotation system Ldalvik/annotation/MemberClasses;
    value = {
        Ltruthtrace/T$Log;,
        Ltruthtrace/T$Writer;
    }
.end annotation

# static fields
.field private static final LOGS:Ljava/util/ArrayList;
    .annotation system Ldalvik/annotation/Signature;
        value = {
            "Ljava/util/ArrayList<",
            "Ltruthtrace/T$Log;",
            ">;"
        }
    .end annotation
.end field

.field private static final MINE:Ljava/lang/ThreadLocal;
    .annotation system Ldalvik/annotation/Signature;
        value = {
            "Ljava/lang/ThreadLocal<",
            "Ltruthtrace/T$Log;",
            ">;"
        }
    .end annotation
.end field

# direct methods
.method static constructor <clinit>()V
    .registers 2

    .line 15
    new-instance v0, Ljava/util/ArrayList;

    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V

    sput-object v0, Ltruthtrace/T;->LOGS:Ljava/util/ArrayList;

    .line 16
    new-instance v0, Ljava/lang/ThreadLocal;

    invoke-direct {v0}, Ljava/lang/ThreadLocal;-><init>()V

    sput-object v0, Ltruthtrace/T;->MINE:Ljava/lang/ThreadLocal;

    .line 86
    invoke-static {}, Ljava/lang/Runtime;->getRuntime()Ljava/lang/Runtime;

    move-result-object v0

    new-instance v1, Ltruthtrace/T$Writer;

    invoke-direct {v1}, Ltruthtrace/T$Writer;-><init>()V

    invoke-virtual {v0, v1}, Ljava/lang/Runtime;->addShutdownHook(Ljava/lang/Thread;)V

    .line 87
    return-void
.end method

.method private constructor <init>()V
    .registers 1

    .line 18
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

.method static synthetic access$000()Ljava/util/ArrayList;
    .registers 1

    .line 14
    sget-object v0, Ltruthtrace/T;->LOGS:Ljava/util/ArrayList;

    return-object v0
.end method

.method private static grow(Ltruthtrace/T$Log;)[I
    .registers 5
    .param p0, "log"    # Ltruthtrace/T$Log;

    .line 100
    iget-object v0, p0, Ltruthtrace/T$Log;->ids:[I

    array-length v0, v0

    mul-int/lit8 v0, v0, 0x2

    new-array v0, v0, [I

    .line 101
    .local v0, "more":[I
    iget-object v1, p0, Ltruthtrace/T$Log;->ids:[I

    iget-object v2, p0, Ltruthtrace/T$Log;->ids:[I

    array-length v2, v2

    const/4 v3, 0x0

    invoke-static {v1, v3, v0, v3, v2}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V

    .line 102
    iput-object v0, p0, Ltruthtrace/T$Log;->ids:[I

    .line 103
    return-object v0
.end method

.method public static p(I)V
    .registers 5
    .param p0, "id"    # I

    .line 108
    sget-object v0, Ltruthtrace/T;->MINE:Ljava/lang/ThreadLocal;

    invoke-virtual {v0}, Ljava/lang/ThreadLocal;->get()Ljava/lang/Object;

    move-result-object v0

    check-cast v0, Ltruthtrace/T$Log;

    .line 109
    .local v0, "log":Ltruthtrace/T$Log;
    if-nez v0, :cond_e

    invoke-static {}, Ltruthtrace/T;->start()Ltruthtrace/T$Log;

    move-result-object v0

    .line 110
    :cond_e
    iget v1, v0, Ltruthtrace/T$Log;->count:I

    .line 111
    .local v1, "n":I
    iget-object v2, v0, Ltruthtrace/T$Log;->ids:[I

    .line 112
    .local v2, "ids":[I
    array-length v3, v2

    if-ne v1, v3, :cond_19

    invoke-static {v0}, Ltruthtrace/T;->grow(Ltruthtrace/T$Log;)[I

    move-result-object v2

    .line 113
    :cond_19
    aput p0, v2, v1

    .line 114
    add-int/lit8 v3, v1, 0x1

    iput v3, v0, Ltruthtrace/T$Log;->count:I

    .line 115
    return-void
.end method

.method private static start()Ltruthtrace/T$Log;
    .registers 4

    .line 91
    sget-object v0, Ltruthtrace/T;->LOGS:Ljava/util/ArrayList;

    monitor-enter v0

    .line 92
    :try_start_3
    new-instance v1, Ltruthtrace/T$Log;

    sget-object v2, Ltruthtrace/T;->LOGS:Ljava/util/ArrayList;

    invoke-virtual {v2}, Ljava/util/ArrayList;->size()I

    move-result v2

    add-int/lit8 v2, v2, 0x1

    invoke-static {}, Ljava/lang/Thread;->currentThread()Ljava/lang/Thread;

    move-result-object v3

    invoke-virtual {v3}, Ljava/lang/Thread;->getName()Ljava/lang/String;

    move-result-object v3

    invoke-direct {v1, v2, v3}, Ltruthtrace/T$Log;-><init>(ILjava/lang/String;)V

    .line 93
    .local v1, "log":Ltruthtrace/T$Log;
    sget-object v2, Ltruthtrace/T;->LOGS:Ljava/util/ArrayList;

    invoke-virtual {v2, v1}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z

    .line 94
    monitor-exit v0
    :try_end_1e
    .catchall {:try_start_3 .. :try_end_1e} :catchall_24

    .line 95
    sget-object v0, Ltruthtrace/T;->MINE:Ljava/lang/ThreadLocal;

    invoke-virtual {v0, v1}, Ljava/lang/ThreadLocal;->set(Ljava/lang/Object;)V

    .line 96
    return-object v1

    .line 94
    .end local v1    # "log":Ltruthtrace/T$Log;
    :catchall_24
    move-exception v1

    :try_start_25
    monitor-exit v0
    :try_end_26
    .catchall {:try_start_25 .. :try_end_26} :catchall_24

    throw v1
.end method
